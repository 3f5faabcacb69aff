import { expect, spyOn, test } from 'bun:test'
import { Refusal, rowsOf, useTab } from '../../../support/tab.ts'
import { ruleFields } from '../../../../src/newsletter/segments/rule-fields.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import { shownJobs } from '../../../../static/app/job.ts'
import type { Contact, RuleGroup } from '../../../../static/app/api/operations.d.ts'
import { packRules } from '../../../../static/app/rules/address.ts'
import '../../../../static/app/rules/builder-body.tsx' // Loaded, it is there as soon as a rule is.
import { countAsked, type Target } from '../../../../static/app/site/contacts/target.ts'
import { AT, contact, field, list, page, tag } from '../../../support/answers.ts'
import { type Answers, asked, change, inTime, visit } from '../../../support/visit.ts'

const tab = useTab()

const RULES: RuleGroup = { op: 'and', rules: [{ field: 'list', operator: 'in', value: [1] }] }
const FILTER = packRules(RULES)
const on = (list_id: number, status: Contact['lists'][number]['status'] = 'subscribed') => ({
  ...{ list_id, status, subscribed_at: AT, unsubscribed_at: null },
})
const GRACE = contact()
const BO = contact({ id: 8, email: 'bo@example.com', full_name: 'Bo Holm' })

interface Opened {
  people?: Contact[]
  total?: number
  next?: string | null
  role?: Role
  answers?: Answers
}

async function open(
  at = '',
  { people = [GRACE, BO], total = 2, next = null, role = 'owner', answers = {} }: Opened = {},
) {
  await visit(
    tab,
    `/contacts${at}`,
    {
      'contacts/list': { items: people, next_cursor: next },
      'contacts/stats': { total },
      'segments/preview': { count: total, sample: [] },
      'lists/list': page(
        list(1, 'Weekly', { double_opt_in: true }),
        list(2, 'Daily'),
        list(3, 'Old', { archived: true }),
      ),
      'tags/list': page(tag(5, 'VIP')),
      'custom-fields/list': page(field('age', 'Age', { type: 'number' })),
      'segments/list': page(),
      'schema/get': {
        rule_fields: ruleFields([]) as never,
        engagement_conditions: [],
        limits: { rules: 50, rule_levels: 3 },
      },
      'contacts/bulk': { job: { id: 3 } },
      'jobs/get': { job: { status: 'running', processed: 1, total: 2 } },
      'contacts/upsert': { contact: GRACE, created: true, skipped: [], confirmations_queued: 0 },
      'segments/create': { segment: { id: 9, name: 'Weekly people' } },
      ...answers,
    },
    role,
  )
}

async function pick(...names: string[]): Promise<void> {
  for (const name of names) await tab.check(`Select ${name}`)
}
const bar = () => tab.find('.selection-bar')

test('People stand with their state and their lists.', async () => {
  await open('', {
    people: [
      contact({ lists: [on(1), on(2, 'pending'), on(9)] }),
      contact({ id: 8, full_name: '', global_status: 'bounced', lists: [on(1, 'pending'), on(2, 'unsubscribed')] }),
    ],
  })
  expect(rowsOf(tab, 'Contacts').map((row) => row.slice(1))).toEqual([
    ['grace@example.com', 'Grace Hopper', 'Subscribed', 'Weekly, Daily (not confirmed)', '3 May 2026'],
    ['grace@example.com', '', 'Bounced', 'Weekly (not confirmed)', '3 May 2026'],
  ])
  expect(tab.find('a.table-link').getAttribute('href')).toEndWith('/contacts/7')
})

test('Columns are chosen, and remembered for the project.', async () => {
  await open('', { people: [contact({ tag_ids: [5], custom_fields: { age: 1_200 }, consent_source: 'sign_up' })] })
  await tab.press('Columns')
  await tab.check('Tags')
  await tab.check('Age')
  await tab.check('Consent from')
  await tab.check('Name', false)
  const row = ['grace@example.com', 'Subscribed', '', 'VIP', '3 May 2026', 'sign up', '1,200']
  expect(rowsOf(tab, 'Contacts')[0]!.slice(1)).toEqual(row)
  expect(JSON.parse(tab.storage.get('masthead-columns-prj_harbour')!)).toEqual([
    ...['status', 'lists', 'joined', 'tags', 'custom.age', 'consent'],
  ])
  await open('', { people: [contact({ tag_ids: [5] })] })
  expect(rowsOf(tab, 'Contacts')[0]).toHaveLength(8)
  tab.storage.set('masthead-columns-prj_harbour', '{')
  await open()
  expect(rowsOf(tab, 'Contacts')[0]).toHaveLength(6)
})

test('Many names are cut to two and a number.', async () => {
  const tags = ['A', 'B', 'C', 'D'].map((name, at) => tag(at + 1, name))
  tab.storage.set('masthead-columns-prj_harbour', '["tags"]')
  await open('', {
    people: [contact({ tag_ids: [1, 2, 3] }), contact({ id: 8, tag_ids: [1, 2, 3, 4] })],
    answers: { 'tags/list': page(...tags) },
  })
  expect(rowsOf(tab, 'Contacts').map((row) => row[2])).toEqual(['A, B, C', 'A, B and 2 more'])
})

test('Order, size and page are in the address, and the call.', async () => {
  await open(`?q=grace&filter=${FILTER}&order=oldest&size=100&from=c1`, { next: 'c2' })
  expect(asked(tab, 'contacts/list')).toEqual([
    { search: 'grace', filter: RULES, order: 'oldest', limit: 100, cursor: 'c1' },
  ])
  expect([tab.has('Newer'), tab.has('Older')]).toEqual([true, true])
  await tab.press('Newer')
  expect(tab.address).toBe(`/contacts?q=grace&filter=${FILTER}&order=oldest&size=100&from=c2`)
  await tab.type('Order', 'newest')
  expect(tab.address).toBe(`/contacts?q=grace&filter=${FILTER}&size=100`)
  await tab.type('Rows on a page', '50')
  expect(tab.address).toBe(`/contacts?q=grace&filter=${FILTER}`)
})

test('A search is in the address a moment later.', async () => {
  await inTime(tab, async (pass) => {
    await open('?from=c1')
    await tab.type('Search name or address', 'bo ')
    await pass(399)
    expect(tab.address).toBe('/contacts?from=c1')
    await pass(1)
    expect(tab.address).toBe('/contacts?q=bo')
    await tab.type('Status', 'pending')
    await pass(400)
    const filter = new URL(tab.address, 'https://x').searchParams.get('filter')
    expect(filter).toBe(packRules({ op: 'and', rules: [{ field: 'global_status', operator: 'eq', value: 'pending' }] }))
  })
})

test('Another address changes what is written above the list.', async () => {
  await open('?q=grace')
  history.pushState(null, '', `${tab.data.scope}/contacts?q=bo&filter=${FILTER}`)
  dispatchEvent(new Event('popstate'))
  await tab.settled()
  expect([tab.field('Search name or address').value, tab.field('List').value]).toEqual(['bo', '1'])
})

test('Nobody found is not nobody there.', async () => {
  await inTime(tab, async (pass) => {
    for (const at of ['?q=x', `?filter=${FILTER}`, `?q=x&filter=${FILTER}&order=oldest&from=c1`]) {
      await open(at, { people: [] })
      await tab.press('Clear filters')
      await pass(400)
      expect(tab.address).toBe(at.includes('order') ? '/contacts?order=oldest' : '/contacts')
    }
  })
  await open('?from=c1', { people: [] })
  expect(tab.text('main')).toContain('No contact matches.')
  await open('', { people: [] })
  expect(tab.button('Import a file').getAttribute('href')).toEndWith('/imports/new')
  await open('', { people: [], role: 'member' })
  expect([tab.has('Import a file'), tab.text('main').includes('Nobody is here yet.')]).toEqual([false, true])
})

test('A member looks, and picks nobody.', async () => {
  await open('', { role: 'member' })
  expect([tab.has('Export'), tab.has('Add contact'), tab.body.querySelector('tbody input')]).toEqual([
    false,
    false,
    null,
  ])
  expect(tab.text('main')).toContain('Changing contacts takes an editor')
  await open('?add=yes', { role: 'member' })
  expect(tab.body.querySelector('dialog')).toBeNull()
})

test('Contacts that could not be loaded say so.', async () => {
  await open('', { answers: { 'contacts/list': new Refusal(403, 'FORBIDDEN') } })
  expect(tab.text('main')).toContain('Contacts could not be loaded.')
})

async function exported(run: () => Promise<void>): Promise<void> {
  const made = spyOn(URL, 'createObjectURL').mockReturnValue('blob:x')
  try {
    await run()
  } finally {
    made.mockRestore()
  }
}

test('Without a filter nobody is counted for the export.', async () => {
  await open()
  expect([tab.has('Export'), tab.names().filter((name) => /^Export \d/.test(name))]).toEqual([true, []])
})

test('Tags are made where they are given, and not where they are taken away.', async () => {
  await open()
  await pick('bo@example.com')
  await tab.press('Tag…')
  await tab.type('Tags', 'New one')
  expect(tab.texts('[role=option]')).toEqual(['Create “New one”'])
  await tab.press('Not now')
  await tab.press('More to do with the selection')
  await tab.press('Remove tags…')
  await tab.type('Tags', 'New one')
  expect(tab.texts('[role=option]')).toEqual([])
})

test('All who match are exported, or those who were picked by their addresses.', async () => {
  const csv = () => new Response('email', { headers: { 'content-type': 'text/csv' } })
  await exported(async () => {
    await open(`?q=x&filter=${FILTER}`, { total: 1_204, answers: { 'contacts/export': csv as never } })
    const export_name = 'contacts/export' as keyof Answers
    const { busy } = await change(tab, export_name, () => tab.press('Export 1,204 contacts'))
    expect(busy).toEqual(['Export 1,204 contacts'])
    expect(asked(tab, 'contacts/export')).toEqual([{ search: 'x', filter: RULES }])
    expect(tab.text('.toasts')).toContain('The file is ready.')
    await open('', { answers: { 'contacts/export': new Refusal(403, 'FORBIDDEN', undefined, 'Not yours.') as never } })
    await pick('bo@example.com')
    ;[...bar().querySelectorAll('button')].find((button) => button.textContent.trim() === 'Export')!.click()
    await tab.settled()
    expect(asked(tab, 'contacts/export').at(-1)).toEqual({
      filter: { op: 'and', rules: [{ field: 'email', operator: 'in', value: ['bo@example.com'] }] },
    })
    expect(tab.text('.toasts')).toContain('Nothing was exported. Not yours.')
  })
})

test('A person is added with what she agreed to.', async () => {
  await open('?add=yes')
  await tab.type('Address', ' new@example.com ')
  await tab.type('First name', 'New')
  await tab.choose('Lists', 'Daily')
  expect(tab.text('dialog')).toContain('Without a list, no campaign')
  await tab.choose('Lists', 'Weekly')
  expect(tab.text('dialog')).toContain('They get a message to confirm.')
  await tab.choose('Lists', 'Weekly')
  await tab.choose('Tags', 'VIP')
  await tab.type('What did they agree to?', 'Yes.')
  expect(await change(tab, 'contacts/upsert', () => tab.press('Add'))).toEqual({
    busy: ['Add', 'Add, and the next one'],
    again: ['contacts/list', 'contacts/stats', 'overview', 'segments/preview'],
  })
  expect(asked(tab, 'contacts/upsert')).toEqual([
    { email: 'new@example.com', consent_text: 'Yes.', first_name: 'New', list_ids: [2], tag_ids: [5] },
  ])
  expect(tab.text('.toasts')).toContain('Grace Hopper is here now.')
  expect(tab.button('Show it').getAttribute('href')).toEndWith('/contacts/7')
  expect(tab.address).toBe('/contacts')
})

test('Several people are added one after the other, with the same lists and words of consent.', async () => {
  const answer = { contact: GRACE, created: true, skipped: [], confirmations_queued: 0 }
  await open('?add=yes', { answers: { 'contacts/upsert': answer as never } })
  await tab.type('Address', 'a@b.example')
  await tab.type('First name', 'New')
  await tab.type('What did they agree to?', 'Yes.')
  await tab.press('Add, and the next one')
  const shown = ['Address', 'First name', 'What did they agree to?'].map((label) => tab.field(label).value)
  expect(shown).toEqual(['', '', 'Yes.'])
  expect(tab.text('dialog .callout')).toBe('Grace Hopper is here now.')
  await tab.type('Address', 'c@b.example')
  await tab.press('Add')
  expect(asked(tab, 'contacts/upsert').at(-1)).toEqual({ email: 'c@b.example', consent_text: 'Yes.' })
})

test('The only list of a project is chosen already.', async () => {
  await open('', { answers: { 'lists/list': page(list(1, 'Weekly'), list(3, 'Old', { archived: true })) } })
  await tab.press('Add contact')
  await tab.press('Add one')
  expect(tab.texts('dialog .chip')).toEqual(['Weekly'])
  await tab.type('Address', 'a@b.example')
  await tab.press('Add')
  expect(asked(tab, 'contacts/upsert')).toEqual([{ email: 'a@b.example', consent_text: '', list_ids: [1] }])
})

test.each<[object, string, boolean]>([
  [{ created: false }, 'Grace Hopper was here already and is brought up to date.', true],
  [{ skipped: [{ list_id: 1, reason: 'suppressed' }] }, 'is here now. The address is suppressed', false],
  [{ skipped: [{ list_id: 1, reason: 'left_list' }] }, 'They left a list by themselves', false],
  [{ skipped: [{ list_id: 1, reason: 'unsubscribed' }] }, 'They opted out of everything', false],
  [{ skipped: [{ list_id: 1, reason: 'bounced' }] }, 'Mail to the address bounced', false],
  [{ skipped: [{ list_id: 1, reason: 'complained' }] }, 'They complained about a message', false],
  [{ confirmations_queued: 1 }, 'A message to confirm is queued.', true],
  [
    { confirmations_queued: 1, confirmations_blocked: [{ list_id: 1, reason: 'held' }] },
    'The message to confirm waits: the connection is held back.',
    false,
  ],
])('The outcome of adding somebody is told: %j.', async (more, said, isGood) => {
  const answer = { contact: GRACE, created: true, skipped: [], confirmations_queued: 0, ...more }
  await open('?add=yes', { answers: { 'contacts/upsert': answer as never } })
  await tab.type('Address', 'a@b.example')
  await tab.press('Add')
  expect(tab.text('.toasts')).toContain(said)
  expect(tab.find('.toast').getAttribute('class')).toContain(isGood ? 'tone-good' : 'tone-wait')
})

test('A flaw of an added person stands beside it.', async () => {
  const flaws = ['/email', '/consent_text'].map((path) => ({ path, message: path }))
  await open('?add=yes', { answers: { 'contacts/upsert': new Refusal(400, 'X', flaws) } })
  await tab.press('Add')
  expect(tab.texts('dialog .field-flaw')).toEqual(['/email', '/consent_text'])
  expect(asked(tab, 'contacts/upsert')).toEqual([{ email: '', consent_text: '' }])
})

test('Those who are picked are tagged, and the work is shown.', async () => {
  await open()
  expect(bar().hasAttribute('hidden')).toBe(true)
  await pick('bo@example.com')
  expect(tab.text('.selection-bar strong')).toBe('1 selected')
  await tab.press('Tag…')
  await tab.press('Tag 1 person')
  expect(tab.text('dialog')).toContain('Choose a tag first.')
  await tab.choose('Tags', 'VIP')
  expect(await change(tab, 'contacts/bulk', () => tab.press('Tag 1 person'))).toEqual({
    busy: ['Tag 1 person'],
    again: ['jobs/get', 'jobs/list'],
  })
  expect(asked(tab, 'contacts/bulk')).toEqual([{ action: 'add_tags', contact_ids: [8], tag_ids: [5] }])
  expect(tab.text('.job-line')).toContain('1 done. You can leave this page.')
  // The tray announces the end of a job only when no page shows it.
  expect([shownJobs.has(3), tab.texts('.toast')]).toEqual([true, []])
  expect(bar().hasAttribute('hidden')).toBe(true)
})

test('A picked contact is no longer picked when others are shown.', async () => {
  await open()
  await pick('bo@example.com')
  await tab.type('Order', 'oldest')
  expect(bar().hasAttribute('hidden')).toBe(true)
})

test('The end of the work is told, and the people are asked for again.', async () => {
  await inTime(tab, async (pass) => {
    await open()
    await pick('bo@example.com')
    await tab.press('Unsubscribe…')
    await tab.press('Unsubscribe 1 person')
    const before = tab.sent('contacts/list').length
    tab.answers['jobs/get'] = { job: { status: 'completed', processed: 1_200, total: 1_200 } }
    await pass(1_000)
    expect(tab.text('.callout')).toContain('Unsubscribing 1 person: done1,200 people were looked at.')
    expect(tab.sent('contacts/list').length).toBe(before + 1)
    await tab.press('Dismiss')
    expect(tab.text('main')).not.toContain('people were looked at')
  })
})

test('Work that failed says why.', async () => {
  await open('', { answers: { 'jobs/get': { job: { status: 'failed', processed: 0, error: 'The disk is full.' } } } })
  await pick('bo@example.com')
  await tab.press('Unsubscribe…')
  await tab.press('Unsubscribe 1 person')
  expect(tab.text('.callout')).toContain('Unsubscribing 1 person: failedThe disk is full.')
})

const all = async (more: Opened = {}, at = `?filter=${FILTER}`) => {
  await open(at, { total: 1_204, next: 'c2', ...more })
  await pick('all rows of this page')
  await tab.press('Select all 1,204 that match')
}

test('All that match are taken beyond the page.', async () => {
  await open(`?filter=${FILTER}`, { total: 1_204, next: 'c2' })
  await pick('all rows of this page')
  expect(tab.text('.selection-bar')).toContain('2 selectedon this page.')
  await tab.press('Select all 1,204 that match')
  expect(tab.text('.selection-bar')).toContain('1,204 selectedThose are all that match.')
  await tab.press('More to do with the selection')
  await tab.press('Remove from list…')
  expect(tab.text('dialog')).toContain('Their other lists stay as they are.')
  expect(tab.text('dialog')).toContain('Who: List is on “Weekly”')
  await tab.choose('List', 'Daily')
  await tab.press('Remove 1,204 people')
  expect(asked(tab, 'contacts/bulk')).toEqual([{ action: 'remove_from_list', filter: RULES, list_id: 2 }])
})

test('All are offered only where the whole page is picked, and there are more.', async () => {
  await open('', { total: 2 })
  await pick('all rows of this page')
  expect(tab.text('.selection-bar')).not.toContain('Select all')
  await open('', { total: 9, next: 'c2' })
  await pick('bo@example.com')
  expect(tab.text('.selection-bar')).not.toContain('Select all')
})

test('A number that changed is told before anything is done.', async () => {
  await all()
  await tab.press('Unsubscribe…')
  tab.answers['contacts/stats'] = { total: 1_300 }
  await tab.press('Unsubscribe 1,204 people')
  expect(tab.text('dialog')).toContain('It was 1,204 when you looked; it is 1,300 now.')
  expect(tab.sent('contacts/bulk')).toEqual([])
  await tab.press('Unsubscribe 1,300 people')
  expect(tab.sent('contacts/bulk')).toHaveLength(1)
})

test('While contacts are counted again, and while the work begins, its button is busy and works once.', async () => {
  await all()
  await tab.press('Unsubscribe…')
  const twice = async () => {
    await tab.press('Unsubscribe 1,204 people')
    await tab.press('Unsubscribe 1,204 people')
  }
  const before = tab.sent('contacts/stats').length
  expect((await change(tab, 'contacts/stats', twice)).busy).toEqual(['Unsubscribe 1,204 people'])
  expect([tab.sent('contacts/stats').length - before, tab.sent('contacts/bulk').length]).toEqual([1, 1])
})

test('A number that was typed is typed again once it is another one.', async () => {
  await all()
  await tab.press('Delete…')
  await tab.type('Type 1204 to go on', ' 1204 ')
  tab.answers['contacts/stats'] = { total: 1_300 }
  await tab.press('Delete 1,204 contacts')
  expect([tab.field('Type 1300 to go on').value, tab.text('dialog').includes('Type 1300 first.')]).toEqual(['', true])
  await tab.type('Type 1300 to go on', '1204')
  await tab.press('Delete 1,300 contacts')
  expect(tab.sent('contacts/bulk')).toEqual([])
})

test('People who cannot be counted are left alone.', async () => {
  await all()
  await tab.press('Unsubscribe…')
  tab.answers['contacts/stats'] = new Refusal(403, 'FORBIDDEN', undefined, 'Not now.')
  await tab.press('Unsubscribe 1,204 people')
  expect([tab.text('dialog').includes('Not now.'), tab.sent('contacts/bulk')]).toEqual([true, []])
})

test('From a hundred on the number is typed, as it is shown or plain.', async () => {
  await all()
  await tab.press('Delete…')
  expect(document.activeElement?.localName).toBe('input')
  await tab.press('Delete 1,204 contacts')
  expect([tab.text('dialog').includes('Type 1204 first.'), tab.sent('contacts/bulk')]).toEqual([true, []])
  await tab.type('Type 1204 to go on', '1,204')
  await tab.press('Delete 1,204 contacts')
  expect(asked(tab, 'contacts/bulk')).toEqual([{ action: 'delete', filter: RULES }])
})

test.each([
  [99, false],
  [100, true],
])('To delete %d people, that number is typed: %p.', async (total, isTyped) => {
  await all()
  await tab.press('Delete…')
  tab.answers['contacts/stats'] = { total }
  await tab.type('Type 1204 to go on', '1204')
  await tab.press('Delete 1,204 contacts')
  expect(tab.text('dialog').includes(`Type ${total} to go on`)).toBe(isTyped)
})

test('Few are deleted at a press.', async () => {
  await open()
  await pick('bo@example.com')
  await tab.press('Delete…')
  await tab.press('Delete 1 contact')
  expect(asked(tab, 'contacts/bulk')).toEqual([{ action: 'delete', contact_ids: [8] }])
})

test('Everybody is deleted by the name of the project.', async () => {
  await all({}, '')
  expect(tab.text('.selection-bar')).toContain('That is everybody.')
  await tab.press('Delete everybody…')
  expect([tab.text('dialog h2'), tab.text('dialog').includes('Who: everybody in this project')]).toEqual([
    'Delete everybody?',
    true,
  ])
  await tab.type('Type Harbour to go on', '1204')
  await tab.press('Delete 1,204 contacts')
  expect(tab.sent('contacts/bulk')).toEqual([])
  await tab.type('Type Harbour to go on', 'Harbour')
  await tab.press('Delete 1,204 contacts')
  expect(asked(tab, 'contacts/bulk')).toEqual([{ action: 'delete', filter: { op: 'and', rules: [] } }])
})

test('The contacts whom a search matches are counted and taken.', async () => {
  await all({}, '?q=grace')
  await tab.press('Tag…')
  expect(tab.text('dialog')).toContain('Who: name or address has “grace”')
  await tab.choose('Tags', 'VIP')
  await tab.press('Tag 1,204 people')
  expect(asked(tab, 'contacts/bulk')[0]).toMatchObject({ search: 'grace', filter: { op: 'and', rules: [] } })
})

test('Joining a list needs words, and tells who is asked to confirm.', async () => {
  await open('', { people: [contact({ lists: [on(1)] }), BO] })
  await pick('grace@example.com', 'bo@example.com')
  await tab.press('Add to list…')
  await tab.key('ArrowDown', {}, tab.field('List'))
  expect(tab.texts('[role=option]')).toEqual(['Weeklyasks people to confirm', 'Daily'])
  await tab.choose('List', 'Weeklyasks people to confirm')
  expect(tab.text('dialog')).toContain('Up to 1 of them get a message to confirm')
  expect(tab.text('dialog')).not.toContain('Their other lists stay')
  await tab.press('Add 2 people')
  expect(tab.text('dialog')).toContain('Say what they agreed to first.')
  await tab.type('What did they agree to, and where?', 'At the fair.')
  await tab.press('Add 2 people')
  expect(asked(tab, 'contacts/bulk')).toEqual([
    { action: 'add_to_list', contact_ids: [7, 8], list_id: 1, consent_text: 'At the fair.' },
  ])
})

test('Contacts to be asked to confirm are counted: those who are not on the list and have not left it.', async () => {
  const people = [
    contact(),
    contact({ lists: [on(1, 'pending')] }),
    contact({ lists: [on(1)] }),
    contact({ lists: [on(1, 'unsubscribed')] }),
    contact({ global_status: 'pending', lists: [on(2)] }),
    contact({ global_status: 'bounced' }),
  ]
  expect(await countAsked({ kind: 'picked', contacts: people }, 1, 3)).toBe(3)
  tab.answers['contacts/stats'] = { total: 40 }
  const ask = (filter?: RuleGroup) => countAsked({ kind: 'matching', search: 'x', filter } as Target, 1, 2)
  expect(await ask()).toBe(40)
  expect(await ask(RULES)).toBe(40)
  const either: RuleGroup = { op: 'or', rules: [...RULES.rules, ...RULES.rules] }
  expect(await ask(either)).toBe(40)
  expect(await ask({ op: 'or', rules: [RULES as never] })).toBeNull()
  const bodies = asked(tab, 'contacts/stats')
  const joined = [
    { field: 'global_status', operator: 'in', value: ['subscribed', 'pending'] },
    { field: 'list', operator: 'not_in', value: [1], status: 'subscribed' },
    { field: 'list', operator: 'not_in', value: [1], status: 'unsubscribed' },
  ]
  expect(bodies.map(({ filter }) => filter.rules)).toEqual([
    joined,
    [...RULES.rules, ...joined],
    [either, ...joined],
  ] as never)
  expect(bodies[0].search).toBe('x')
})

test('Rules are opened beside the shortcuts, and taken away again.', async () => {
  await open()
  expect(tab.has('Remove the rules')).toBe(false)
  await tab.press('Rule')
  expect(tab.has('Rule')).toBe(true)
  await tab.press('Remove the rules')
  expect([tab.body.querySelector('.rule-group'), tab.has('Rule')]).toEqual([null, true])
  // A shortcut alone needs no rules below it.
  await tab.type('Status', 'pending')
  expect(tab.body.querySelector('.rule-group')).toBeNull()
  await tab.press('Rule')
  await tab.press('Remove the rules')
  expect([tab.field('Status').value, tab.body.querySelector('.rule-group')]).toEqual(['', null])
})

test('A filter is saved as a segment.', async () => {
  const filter = packRules({ op: 'and', rules: [{ field: 'email', operator: 'is_set' }] })
  await open(`?filter=${filter}`)
  await tab.press('Save as segment')
  await tab.type('Name', 'Weekly people')
  expect(await change(tab, 'segments/create', () => tab.press('Save'))).toEqual({
    busy: ['Save'],
    again: ['segments/list', 'segments/preview'],
  })
  expect(asked(tab, 'segments/create')).toEqual([
    { name: 'Weekly people', rules: { op: 'and', rules: [{ field: 'email', operator: 'is_set' }] } },
  ])
  expect(tab.button('Show it').getAttribute('href')).toEndWith('/segments/9')
  await open(`?filter=${filter}`, { role: 'member' })
  expect(tab.has('Save as segment')).toBe(false)
})

test('On a phone people who are not counted yet are shown, too.', async () => {
  tab.media.add('(width < 640px)')
  await open('', { answers: { 'contacts/stats': () => new Promise(() => undefined) } })
  await tab.press('Filters')
  expect(tab.has('Show them')).toBe(true)
  await tab.press('Show them')
  expect(tab.body.querySelector('dialog')).toBeNull()
})

test('An action that cannot be taken back looks so, and begins at the button that does nothing.', async () => {
  await open()
  await pick('bo@example.com')
  for (const [name, verb, look] of [
    ['Tag…', 'Tag 1 person', 'button-primary'],
    ['Add to list…', 'Add 1 person', 'button-primary'],
    ['Unsubscribe…', 'Unsubscribe 1 person', 'button-danger'],
    ['Delete…', 'Delete 1 contact', 'button-danger'],
  ] as const) {
    await tab.press(name)
    expect([verb, tab.button(verb).getAttribute('class')]).toEqual([verb, expect.stringContaining(look)])
    expect(document.activeElement?.textContent === 'Not now').toBe(look === 'button-danger')
    await tab.press('Not now')
  }
})

test('On a phone the filters are in a sheet.', async () => {
  tab.media.add('(width < 640px)')
  tab.media.add('(width < 900px)')
  await open(`?filter=${FILTER}`, { total: 1_204 })
  expect(tab.has('Filters: 1')).toBe(true)
  await tab.press('Filters: 1')
  expect(tab.field('List').value).toBe('1')
  await tab.press('Show 1,204 people')
  expect(tab.body.querySelector('dialog')).toBeNull()
  await pick('bo@example.com')
  await tab.press('Select the page')
  expect(tab.text('.selection-bar strong')).toBe('2 selected')
})
