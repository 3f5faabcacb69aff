import { expect, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../../support/tab.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import type { ResponseOf } from '../../../../static/app/api/calls.ts'
import { asked, change, flawed, flawsAt, inTime, visit } from '../../../support/visit.ts'

const tab = useTab()

type Row = ResponseOf<'suppressions/list'>['items'][number]
const row = (more: Partial<Row> = {}): Row => ({
  ...{ id: 1, email: 'grace@example.com', reason: 'manual', note: '', created_at: '2026-05-03T12:00:00.000Z' },
  ...more,
})

async function open(at: string, rows: Row[], role: Role = 'owner', next_cursor: string | null = null) {
  await visit(
    tab,
    `/suppressions${at}`,
    {
      'suppressions/list': { items: rows, next_cursor },
      'suppressions/add': ({ email }) => ({ suppression: { email } }),
      'suppressions/remove': {},
    },
    role,
  )
}

test('Addresses stand with why nothing is sent to them.', async () => {
  await open('', [row({ note: 'Asked.' }), row({ id: 2, email: null, reason: 'complaint' })])
  expect(rowsOf(tab, 'Suppressions').map((cells) => cells.slice(0, 4))).toEqual([
    ['grace@example.com', 'By hand', 'Asked.', '3 May 2026'],
    ['The address of a deleted contact', 'Complained', '', '3 May 2026'],
  ])
  expect(tab.names().filter((name) => name.startsWith('Lift'))).toEqual(['Lift… the suppression of grace@example.com'])
})

test('The address of a deleted contact is lifted by who searched for the whole of it.', async () => {
  await open('?q=grace@example.com', [row({ email: null, reason: 'complaint' })])
  await tab.press('Lift… the suppression of grace@example.com')
  expect(await change(tab, 'suppressions/remove', () => tab.press('Lift 1 suppression'))).toEqual({
    busy: ['Lift 1 suppression'],
    again: ['contacts/list', 'contacts/stats', 'overview', 'segments/preview', 'suppressions/list'],
  })
  expect(asked(tab, 'suppressions/remove')).toEqual([{ email: 'grace@example.com', confirm: true }])
  await open('?q=grace', [row({ email: null })])
  expect(tab.names().filter((name) => name.startsWith('Lift'))).toEqual([])
})

test('A member reads the addresses.', async () => {
  await open('', [row()], 'member')
  expect([tab.has('Add address'), tab.names().filter((name) => name.startsWith('Lift'))]).toEqual([false, []])
  expect(tab.text('main')).toContain('Changing suppressions takes an editor')
})

test('An address is added with its reason and a note.', async () => {
  await open('', [])
  expect(tab.text('main')).toContain('No address is suppressed.')
  await tab.press('Add address')
  await tab.type('Address', ' x@example.com ')
  await tab.type('Why', 'complaint')
  await tab.type('Note', 'By phone.')
  expect(await change(tab, 'suppressions/add', () => tab.press('Suppress 1 address'))).toEqual({
    busy: ['Suppress 1 address'],
    again: ['contacts/list', 'contacts/stats', 'overview', 'suppressions/list'],
  })
  await tab.press('Add address')
  await tab.type('Address', 'y@example.com')
  await tab.press('Suppress 1 address')
  expect(asked(tab, 'suppressions/add')).toEqual([
    { email: 'x@example.com', reason: 'complaint', note: 'By phone.' },
    { email: 'y@example.com', reason: 'manual' },
  ])
  expect(tab.text('.toasts')).toContain('Nothing is sent to x@example.com any more.')
})

test('A flaw of an added address stands at its field.', async () => {
  await open('', [])
  tab.answers['suppressions/add'] = flawed('note', 'email')
  await tab.press('Add address')
  await tab.press('Suppress 1 address')
  expect(flawsAt(tab, 'Address', 'Note')).toEqual(['email', 'note'])
})

test('Reason, search and page are in the address, and a filter begins at the first page.', async () => {
  await open('?q=a.example&reason=manual&from=c1', [row()], 'owner', 'c2')
  expect(asked(tab, 'suppressions/list')).toEqual([
    { order: 'newest', limit: 50, search: 'a.example', reason: 'manual', cursor: 'c1' },
  ])
  await tab.press('Older')
  expect(tab.address).toBe('/suppressions?q=a.example&reason=manual&from=c2')
  await tab.type('Reason', 'complaint')
  expect(tab.address).toBe('/suppressions?q=a.example&reason=complaint')
  await inTime(tab, async (pass) => {
    await tab.type('Search addresses', 'b.example')
    await pass(250)
    expect(tab.address).toBe('/suppressions?q=b.example&reason=complaint')
  })
})

test('Nothing found is not nothing there.', async () => {
  for (const at of ['?q=x', '?reason=manual', '?from=c1']) {
    await open(at, [])
    expect(tab.text('main')).toContain('No suppression matches.')
    expect(tab.has('Older')).toBe(false)
  }
  await tab.press('Clear filters')
  expect(tab.address).toBe('/suppressions')
  await open('?reason=nonsense', [])
  expect(tab.text('main')).toContain('No address is suppressed.')
})

test('Suppressions that could not be loaded say so.', async () => {
  await visit(tab, '/suppressions', { 'suppressions/list': new Refusal(403, 'FORBIDDEN') })
  expect(tab.text('main')).toContain('Suppressions could not be loaded.')
})
