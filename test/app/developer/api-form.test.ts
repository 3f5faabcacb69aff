import { expect, test } from 'bun:test'
import { h } from 'preact'
import { useState } from 'preact/hooks'
import type { Schema } from '../../../src/shared/schema-fields.ts'
import { useTab } from '../../support/tab.ts'
import { BodyForm } from '../../../static/app/developer/api-form.tsx'
import type { Values } from '../../../static/app/developer/api-shapes.ts'

const tab = useTab()
const text: Schema = { type: 'string' }
const object = (properties: Record<string, Schema>, required: string[] = [], more: Schema = {}): Schema => ({
  ...{ type: 'object', properties, required },
  ...more,
})
let value: Values

function Form({ schema }: { schema: Schema }) {
  const [now, set] = useState(value)
  return h(BodyForm, { schema, schemas: {}, value: now, onChange: (next) => set((value = next)) })
}
async function open(schema: Schema, first: Values = {}) {
  value = first
  await tab.draw(h(Form, { schema }))
}
const labels = () => tab.texts('label, legend')

test('Fields stand with the required ones first, without what the page fills in, and say what they take.', async () => {
  await open(
    object(
      {
        a: { ...text, description: 'Any' },
        project_id: text,
        b: { type: 'integer', minimum: 2 },
        idempotency_key: text,
      },
      ['b'],
    ),
  )
  expect(labels()).toEqual(['b (required)', 'a'])
  expect(tab.texts('.field-hint')[1]).toEndWith('. Any')
  await open(object({ project_id: text }))
  expect(tab.text()).toContain('It takes no fields.')
})

test('A field is written, and left out when it is emptied.', async () => {
  await open(object({ a: text, n: { type: 'number' }, yes: { type: 'boolean' } }))
  await tab.type('a', 'x')
  await tab.type('n', '5')
  await tab.type('yes', 'false')
  expect(value).toEqual({ a: 'x', n: 5, yes: false })
  await tab.type('a', '')
  await tab.type('yes', '')
  expect(value).toEqual({ n: 5 })
})

test('Of fields that exclude each other one is chosen, and takes the place of the other.', async () => {
  const rivals = { oneOf: [{ required: ['ids'] }, { required: ['filter'] }] }
  await open(object({ ids: { items: text }, filter: text, other: text }, [], rivals), { other: 'o' })
  expect(tab.texts('.radio-label')).toEqual(['ids', 'filter'])
  expect(labels()).not.toContain('filter (required)')
  await tab.check('filter')
  expect(value).toEqual({ other: 'o', filter: '' })
  expect(labels()).toContain('filter (required)')
  await tab.check('ids')
  expect(value).toEqual({ other: 'o', ids: [] })
})

test('Rows are added, written, and removed; a row that is emptied stays.', async () => {
  await open(object({ list: { type: 'array', items: text } }))
  await tab.press('Add list')
  expect(value).toEqual({ list: [''] })
  await tab.press('Add a row to list')
  await tab.type('list[0]', 'a')
  await tab.type('list[1]', 'b')
  await tab.type('list[0]', '')
  expect(value).toEqual({ list: ['', 'b'] })
  await tab.press('Remove list[0]')
  expect(value).toEqual({ list: ['b'] })
  await tab.press('Leave out list')
  expect(value).toEqual({})
})

test('A required field cannot be left out.', async () => {
  await open(object({ in: object({ x: text, y: text }, ['y']) }, ['in']))
  await tab.press('Add in')
  expect(value).toEqual({ in: { y: '' } })
  expect(labels().slice(-2)).toEqual(['in.y (required)', 'in.x'])
  expect(tab.has('Leave out in')).toBe(false)
  await tab.type('in.x', '1')
  expect(value).toEqual({ in: { y: '', x: '1' } })
  await tab.type('in.x', '')
  expect(value).toEqual({ in: { y: '' } })
})

test('Values by name get a name that is not taken, and are removed by it.', async () => {
  await open(object({ by: { type: 'object', patternProperties: { '^.*$': { type: 'integer' } } } }), { by: { a: 1 } })
  const add = () => tab.button('Add it to by').getAttribute('aria-disabled')
  expect(add()).toBe('true')
  await tab.type('A name in by', ' a ')
  expect(add()).toBe('true')
  await tab.type('A name in by', ' b ')
  await tab.press('Add it to by')
  expect(value).toEqual({ by: { a: 1, b: 0 } })
  expect(tab.field('A name in by').value).toBe('')
  await tab.type('by.a', '')
  expect(value).toEqual({ by: { a: '', b: 0 } })
  await tab.press('Remove by.a')
  expect(value).toEqual({ by: { b: 0 } })
})

const kind = (name: string, more: Record<string, Schema> = {}) => object({ type: { const: name }, ...more }, ['type'])

test('One of several variants is chosen, by cards or from a list where there are many.', async () => {
  const variants = ['a', 'b', 'c', 'd'].map((name) => kind(name, { [`of_${name}`]: text }))
  await open(object({ one: { anyOf: variants } }), { one: { type: 'b' } })
  expect(tab.field('b').checked).toBe(true)
  expect(labels()).toContain('one.of_b')
  await tab.check('d')
  expect(value).toEqual({ one: { type: 'd' } })
  await open(object({ one: { anyOf: [...variants, { type: 'array', items: text }] } }), { one: { type: 'c' } })
  expect(tab.field('Which one').value).toBe('2')
  await tab.type('Which one', '4')
  expect(value).toEqual({ one: [] })
})

test('Anything is written as JSON; what is none stays in the field only.', async () => {
  await open(object({ any: {} }), { any: { a: 1 } })
  expect(tab.field('any').value).toBe('{\n  "a": 1\n}')
  await tab.type('any', '{"a":')
  expect([value, tab.text('.field-flaw')]).toEqual([{ any: { a: 1 } }, 'This is no JSON.'])
  await tab.type('any', '[2]')
  expect([value, tab.field('any').value]).toEqual([{ any: [2] }, '[2]'])
  await tab.type('any', ' ')
  expect(value).toEqual({})
})

test('JSON that is changed elsewhere is shown, and what is being written stays as it is.', async () => {
  await open(object({ list: { items: {} } }), { list: [1, 2] })
  await tab.type('list[0]', '')
  expect(value).toEqual({ list: ['', 2] })
  expect(tab.field('list[0]').value).toBe('')
  await tab.press('Remove list[0]')
  expect(tab.field('list[0]').value).toBe('2')
})
