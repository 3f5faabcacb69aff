import { test } from 'bun:test'
import { h } from 'preact'
import { BLOCK_TYPES } from '../../../src/newsletter/email/blocks.ts'
import { blockChoices } from '../../../static/app/letter/block-choices.ts'
import { type BlockType, propLabel } from '../../../static/app/letter/block-types.ts'
import { ColumnsField } from '../../../static/app/letter/columns-field.tsx'
import { EditorContext } from '../../../static/app/letter/context.ts'
import { expectRecorded } from '../../support/recorded.ts'
import { useTab } from '../../support/tab.ts'

const tab = useTab()
const TYPES = JSON.parse(JSON.stringify(BLOCK_TYPES)) as BlockType[]
const WORDS = 'picture photo rule separator gap call to action paragraph list quote'.split(' ')

test('Blocks, their properties and the layouts of columns are called as recorded.', async () => {
  const props = new Set(TYPES.flatMap((type) => Object.keys(type.props['properties'] ?? {})))
  const lines = [
    ...blockChoices(TYPES, null, '').map(({ type, label, description, icon }) =>
      [type, label, description, icon].join(' | '),
    ),
    ...WORDS.map((word) => `${word}: ${blockChoices(TYPES, null, word).map(({ type }) => type)}`),
    ...[...props].map((name) => `${name}: ${propLabel(name)}`),
  ]
  for (const count of [2, 3, 4]) {
    const columns = Array.from({ length: count }, () => ({ blocks: [] }))
    const block = { id: 'c', type: 'columns', props: { columns } }
    await tab.draw(h(EditorContext.Provider, { value: {} as never }, h(ColumnsField, { block })))
    const options = tab.all<HTMLOptionElement>('option')
    lines.push(`${count} columns: ${options.map(({ value, textContent }) => `${value} ${textContent}`).join(', ')}`)
  }
  expectRecorded('app/words-of-letters.txt', lines.join('\n'))
})
