import { expect, test } from 'bun:test'
import { html } from '../../../../src/http/core/markup.ts'
import { cell, columnHeads, personName } from '../../../../src/http/portal/pages/page-parts.ts'

test('A person is called by the name, or by the address without one.', () => {
  const called = (first_name: string, last_name: string) =>
    personName({ first_name, last_name, email: 'ann@example.com' })
  expect([called('Ann', 'Pier'), called('Ann', ''), called('', 'Pier'), called('', '')]).toEqual([
    ...['Ann Pier', 'Ann', 'Pier', 'ann@example.com'],
  ])
})

test('A table keeps its roles and the labels of its cells, whatever CSS makes of it.', () => {
  expect(columnHeads(['A & B', html`<i>C</i>`]).text).toBe(
    '<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">A &amp; B</th>' +
      '<th scope="col" role="columnheader"><i>C</i></th></tr></thead>',
  )
  expect(cell('Name', '<x>').text).toBe('<td role="cell" data-label="Name">&lt;x&gt;</td>')
})
