import { expect, test } from 'bun:test'
import { Glob } from 'bun'
import { join } from 'node:path'

const APP = join(import.meta.dir, '../../static/app')
/** Text that is sent to nobody as it stands, or whose flaws the page finds itself. */
const WITHOUT = new Set([
  'letter/picture-dialog.tsx',
  'site/contacts/bulk-dialog.tsx',
  'site/site/site-files.tsx',
  'site/site/item-dialog.tsx',
  'developer/script.tsx',
  'import/new-import.tsx',
])

test('Every text field of a form has a place for what the service says of it.', async () => {
  const bare: string[] = []
  for await (const file of new Glob('{account,developer,operator,letter,import,site}/**/*.tsx').scan(APP)) {
    const source = await Bun.file(join(APP, file)).text()
    if (WITHOUT.has(file) || !/<(?:FlawSummary|FormDialog|FormCard)\b/.test(source)) continue
    for (const [element, label] of fieldsIn(source)) if (!/flaw=|\{\.\.\./.test(element)) bare.push(`${file}: ${label}`)
  }
  expect(bare.toSorted()).toEqual([])
})

/** The text fields of a source, each with its label. */
function fieldsIn(source: string): [element: string, label: string][] {
  return [...source.matchAll(/<(?:TextField|TextArea|NumberField|PasswordField)\b/g)].map(({ index }) => {
    const element = source.slice(index, endOfElement(source, index))
    return [element, /label=(?:"([^"]*)"|\{([^}]*)\})/.exec(element)?.slice(1).join('') ?? '']
  })
}

function endOfElement(source: string, from: number): number {
  let depth = 0
  for (let at = from; at < source.length; at++) {
    if (source[at] === '{') depth++
    else if (source[at] === '}') depth--
    else if (source[at] === '>' && depth === 0) return at
  }
  return source.length
}
