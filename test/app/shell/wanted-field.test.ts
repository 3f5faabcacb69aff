import { expect, test } from 'bun:test'
import { LocationProvider } from 'preact-iso'
import { h } from 'preact'
import { useWantedField } from '../../../static/app/shell/wanted-field.ts'
import { useTab } from '../../support/tab.ts'

const tab = useTab()

function Page() {
  useWantedField()
  return h('main', null, [
    h('input', { name: 'other' }),
    h('input', { name: 'max_per_day' }),
    h('div', { 'data-field': 'audience' }, [h('p', null, 'People'), h('input', { name: 'include' })]),
    h('div', { 'data-field': 'letter' }, h('div', { tabIndex: 0, id: 'block' })),
    h('div', { 'data-field': 'nothing' }),
  ])
}

/** The name or id of what has the focus, and the address, of a page that is opened for a field. */
async function wanted(field: string): Promise<unknown[]> {
  history.replaceState(null, '', `${tab.data.scope}/sending?field=${field}&page=2`)
  await tab.draw(h(LocationProvider, null, h(Page, null)))
  await tab.settled()
  const focused = document.activeElement as HTMLInputElement
  return [focused.name || focused.id, location.search]
}

test('The control of a name is focused, or the first one in its place, and the address forgets it.', async () => {
  expect(await wanted('max_per_day')).toEqual(['max_per_day', '?page=2'])
  expect(await wanted('audience')).toEqual(['include', '?page=2'])
  expect(await wanted('letter')).toEqual(['block', '?page=2'])
})

test('A place without a control keeps the address.', async () => {
  expect((await wanted('nothing'))[1]).toBe('?field=nothing&page=2')
})
