import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const APP = join(import.meta.dir, '../../../static/app')

const read = (pattern: string) =>
  [...new Bun.Glob(pattern).scanSync({ cwd: APP })].map((path) => ({
    path,
    text: readFileSync(join(APP, path), 'utf8'),
  }))

test('No style is turned around by the language of a page, so that dir="rtl" alone is enough.', async () => {
  const entrypoints = ['app.css', 'letter/letter.css', 'code/code.css'].map((path) => join(APP, path))
  const { outputs } = await Bun.build({ entrypoints, target: 'browser' })
  const texts = await Promise.all(outputs.map((file) => file.text()))
  const rules = texts.flatMap((text) => text.split('\n')).filter((line) => line.includes(':lang('))
  expect(rules).toEqual([])
})

test('Every class of a component stands in a style sheet.', () => {
  const styles = read('**/*.css')
    .map(({ text }) => text)
    .join('\n')
  const known = new Set([...styles.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name!))
  const unknown = read('ui/**/*.tsx').flatMap(({ path, text }) =>
    [...text.matchAll(/class(?:=|: )"([^"]+)"/g), ...text.matchAll(/class(?:=|: )'([^']+)'/g)]
      .flatMap(([, names]) => names!.split(' '))
      .filter((name) => !known.has(name))
      .map((name) => `${path}: ${name}`),
  )
  expect(unknown).toEqual([])
})
