import { expect, test } from 'bun:test'
import { CONTACT_FIELD_NAMES } from '../../../../src/shared/contact-fields.ts'
import type { Contact } from '../../../../static/app/api/operations.d.ts'
import type { ContactAnswer } from '../../../../static/app/site/contact/history.ts'
import { AT, contact, field, list, page, tag } from '../../../support/answers.ts'
import { Refusal, useTab } from '../../../support/tab.ts'
import { asked, change, flawed, flawsAt, visit } from '../../../support/visit.ts'

const tab = useTab()

const CHANGED = ['contacts/list', 'contacts/stats', 'overview', 'segments/preview', 'suppressions/list']

const LISTS = [
  list(1, 'Weekly'),
  list(2, 'Monthly', { double_opt_in: true }),
  list(3, 'Old', { archived: true }),
  list(4, 'Daily'),
]
const FIELDS = [
  field('city', 'City'),
  field('age', 'Age', { type: 'number' }),
  field('paid', 'Paid', { type: 'boolean' }),
  field('plan', 'Plan', { type: 'select', options: ['small', 'big'] }),
]
const on = (list_id: number, status: Contact['lists'][number]['status'] = 'subscribed') => ({
  ...{ list_id, status },
  ...{ subscribed_at: AT, unsubscribed_at: status === 'unsubscribed' ? '2026-06-04T12:00:00.000Z' : null },
})

interface Opened extends Partial<ContactAnswer> {
  role?: 'member' | 'editor'
  at?: string
  /** What a change of a membership is answered with. */
  asked?: { confirmations_queued: number; confirmations_blocked?: { list_id: number; reason: 'limit' }[] } | Refusal
}

/** Opens the page of one person. */
async function open(more: Partial<Contact> = {}, { role, at = '', asked, ...answer }: Opened = {}) {
  const person = contact(more)
  await visit(
    tab,
    `/contacts/7${at}`,
    {
      'contacts/get': ({ activity_after_id }) =>
        activity_after_id === undefined
          ? { contact: person, suppression: null, activity: [], consents: [], ...answer }
          : { contact: person, suppression: null, activity: [], consents: [] },
      'lists/list': page(...LISTS),
      'tags/list': page(tag(5, 'VIP'), tag(6, 'Press')),
      'custom-fields/list': page(...FIELDS),
      'contacts/update': ({ first_name, custom_fields }) => ({
        contact: {
          ...person,
          ...(typeof first_name === 'string' && { first_name }),
          custom_fields: { ...person.custom_fields, ...(custom_fields as object) },
        },
      }),
      'contacts/membership': asked instanceof Refusal ? asked : { contact: person, ...(asked as object) },
      'contacts/tags': { contact: person },
      'contacts/delete': {},
      'contacts/unsubscribe': {},
      'contacts/reset-status': {},
      'suppressions/add': {},
      'suppressions/remove': {},
    },
    role,
  )
}

const MENU = 'More to do with this contact'
const menu = () => tab.texts('.menu-item')
const SUPPRESSED = { reason: 'manual', note: '', created_at: AT } as const

test('A person is called by name, or by the address without one.', async () => {
  await open()
  expect([tab.text('h1'), tab.text('.contact-standing')]).toEqual(['Grace Hopper', 'Subscribed since 3 May 2026.'])
})

test('A person without a name is called by the address, in questions too.', async () => {
  await open({ full_name: '' })
  expect(tab.text('h1')).toBe('grace@example.com')
  await tab.press('Unsubscribe…')
  expect(tab.text('dialog h2')).toBe('Unsubscribe grace@example.com from everything?')
})

test('A contact that is not there is told apart from one that could not be loaded.', async () => {
  await visit(tab, '/contacts/7', { 'contacts/get': new Refusal(404, 'NOT_FOUND', undefined, 'No.') })
  expect(tab.text('main')).toContain('There is no such contact.')
  expect(tab.button('All contacts').getAttribute('href')).toEndWith('/harbour/contacts')
  await visit(tab, '/contacts/seven', { 'contacts/get': new Refusal(400, 'VALIDATION_FAILED', undefined, 'No.') })
  expect(tab.text('main')).toContain('There is no such contact.')
  await visit(tab, '/contacts/8', { 'contacts/get': new Refusal(403, 'FORBIDDEN', undefined, 'Not yours.') })
  expect(tab.text('main')).toContain('The contact could not be loaded.')
  expect(tab.text('main')).not.toContain('There is no such contact.')
  expect(asked(tab, 'contacts/get').map(({ contact_id }) => contact_id)).toEqual([7, null, 8])
})

test('A member reads what an editor changes.', async () => {
  await open(
    { lists: [on(1), on(3), on(2, 'pending')], tag_ids: [6], last_name: '', custom_fields: { age: 1200, paid: false } },
    { role: 'member' },
  )
  expect(tab.text('main')).toContain('Changing contacts takes an editor; you are a member here. Ask Bo Holm.')
  for (const name of ['Unsubscribe…', 'Subscribe to a list…', 'Subscribe', MENU, 'Send the confirmation again'])
    expect(tab.has(name)).toBe(false)
  expect(tab.texts('[role=switch], input')).toEqual([])
  const standard = CONTACT_FIELD_NAMES.map((name) => (name === 'first_name' ? 'Grace' : '–'))
  expect(tab.texts('.facts dd')).toEqual([...standard, '–', '1,200', 'No', '–'])
  expect(tab.text('main')).toContain('Press')
})

test('A member reads that a person has no tags.', async () => {
  await open({}, { role: 'member' })
  expect(tab.text('main')).toEndWith('TagsNone.')
})

test('A contact who opted out or is suppressed cannot be put on lists.', async () => {
  await open({ global_status: 'unsubscribed', lists: [on(1, 'unsubscribed')] })
  expect(tab.text('.contact-standing')).toBe('Opted out of everything.')
  for (const name of ['Unsubscribe…', 'Subscribe to a list…', 'Subscribe']) expect(tab.has(name)).toBe(false)
  expect(tab.field('On the list Weekly').hasAttribute('aria-disabled')).toBe(true)
  await tab.check('On the list Weekly')
  expect(tab.has('Subscribe')).toBe(false)
})

test('The menu has what fits the state of the person.', async () => {
  await open({ global_status: 'bounced' })
  await tab.press(MENU)
  expect(menu()).toEqual([
    'Change the address…',
    'Reset the bounced status…',
    'Suppress the address…',
    'Export this person’s data (JSON)',
    'Delete…',
  ])
  await tab.press('Reset the bounced status…')
  await tab.press('Reset 1 contact')
  expect(asked(tab, 'contacts/reset-status')).toEqual([{ contact_id: 7 }])
  expect(tab.text('.toasts')).toContain('The status is reset.')
})

test('A suppression is lifted, and after a complaint only with a further confirmation.', async () => {
  await open({}, { suppression: SUPPRESSED })
  await tab.press(MENU)
  expect(menu()).not.toContain('Suppress the address…')
  expect(menu()).not.toContain('Reset the bounced status…')
  await tab.press('Lift the suppression…')
  expect(tab.text('dialog')).toContain('Nobody is subscribed by this')
  await tab.press('Lift 1 suppression')
  expect(asked(tab, 'suppressions/remove')).toEqual([{ email: 'grace@example.com' }])
})

test('Lifting the suppression of a complaint is confirmed and warned of.', async () => {
  await open({}, { suppression: { ...SUPPRESSED, reason: 'complaint' } })
  await tab.press(MENU)
  await tab.press('Lift the suppression…')
  expect(tab.text('dialog')).toContain('This person reported a message as spam.')
  expect(tab.button('Lift 1 suppression').getAttribute('class')).toContain('button-danger')
  await tab.press('Lift 1 suppression')
  expect(asked(tab, 'suppressions/remove')).toEqual([{ email: 'grace@example.com', confirm: true }])
})

test('An address is suppressed with a note where one was written.', async () => {
  await open()
  for (const note of ['', 'Asked by phone.']) {
    await tab.press(MENU)
    await tab.press('Suppress the address…')
    await tab.type('Note', note)
    expect(await change(tab, 'suppressions/add', () => tab.press('Suppress 1 address'))).toEqual({
      busy: ['Suppress 1 address'],
      again: CHANGED,
    })
    expect(tab.has('Suppress 1 address')).toBe(false)
  }
  const added = { email: 'grace@example.com', reason: 'manual' }
  expect(asked(tab, 'suppressions/add')).toEqual([added, { ...added, note: 'Asked by phone.' }])
})

test('A deleted contact is left for the list, and the opt-out that stays is told before.', async () => {
  await open({ global_status: 'complained' })
  await tab.press(MENU)
  await tab.press('Delete…')
  expect(tab.text('dialog')).toContain('Their opt-out stays as a suppression')
  await tab.press('Not now')
  expect(asked(tab, 'contacts/delete')).toEqual([])
  await tab.press(MENU)
  await tab.press('Delete…')
  await tab.press('Delete 1 contact')
  expect([asked(tab, 'contacts/delete'), tab.address]).toEqual([[{ contact_id: 7 }], '/contacts'])
})

test('Deleting a subscriber leaves nothing behind.', async () => {
  await open()
  await tab.press(MENU)
  await tab.press('Delete…')
  expect(tab.text('dialog')).not.toContain('opt-out')
  expect(tab.address).toBe('/contacts/7')
})

test('Everything of a person is asked for until nothing comes any more.', async () => {
  const event = { id: 30, type: 'sent', at: AT, list_id: null, campaign_id: null } as const
  const consent = { id: 20, at: AT, list_id: 1, action: 'given', text: 'Yes.', source: 'signup' } as const
  const nobody = { ip: null, user_agent: null, campaign_id: null }
  await open({}, { activity: [event], consents: [{ ...consent, ...nobody }] })
  await tab.press(MENU)
  await tab.press('Export this person’s data (JSON)')
  await tab.settled()
  expect(asked(tab, 'contacts/get').at(-1)).toEqual({ contact_id: 7, activity_after_id: 30, consents_after_id: 20 })
  expect(tab.text('.toasts')).toContain('The file is ready.')
})

test('The address is changed without the space around it.', async () => {
  await open()
  await tab.press(MENU)
  await tab.press('Change the address…')
  expect(tab.field('Address').value).toBe('grace@example.com')
  await tab.type('Address', ' new@example.com ')
  expect(await change(tab, 'contacts/update', () => tab.press('Change it'))).toEqual({
    busy: ['Change it'],
    again: CHANGED,
  })
  expect(asked(tab, 'contacts/update')).toEqual([{ contact_id: 7, email: 'new@example.com' }])
  expect([tab.has('Change it'), tab.text('.toasts')]).toEqual([
    false,
    expect.stringContaining('The address is changed.'),
  ])
})

test('A flaw of an address or of words of consent stands at its field.', async () => {
  await open({}, { asked: flawed('consent_text') })
  await tab.press('Subscribe to a list…')
  await tab.choose('List', 'Daily')
  await tab.type('What did they agree to, and where?', 'x')
  await tab.press('Subscribe')
  expect(flawsAt(tab, 'What did they agree to, and where?')).toEqual(['consent_text'])
  await tab.press('Not now')
  tab.answers['contacts/update'] = flawed('email')
  await tab.press(MENU)
  await tab.press('Change the address…')
  await tab.press('Change it')
  expect(flawsAt(tab, 'Address')).toEqual(['email'])
})

test('A list that was archived is joined again only where the person was on it.', async () => {
  await open({ lists: [on(3, 'unsubscribed')] })
  await tab.check('On the list Old')
  expect(tab.field('List').value).toBe('Old')
  await tab.key('ArrowDown', {}, tab.field('List'))
  expect(tab.texts('[role=option]')).toEqual(['Weekly', 'Monthly', 'Old', 'Daily'])
})

test('Unsubscribing from everything is asked first.', async () => {
  await open({ global_status: 'pending' })
  await tab.press('Unsubscribe…')
  expect(asked(tab, 'contacts/unsubscribe')).toEqual([])
  expect(await change(tab, 'contacts/unsubscribe', () => tab.press('Unsubscribe 1 person'))).toEqual({
    busy: ['Unsubscribe 1 person'],
    again: CHANGED,
  })
  expect(asked(tab, 'contacts/unsubscribe')).toEqual([{ contact_id: 7 }])
  expect(tab.text('.toasts')).toContain('Grace Hopper gets no campaign any more.')
})

test('A text is saved when it is left, and can be taken back.', async () => {
  await open()
  await tab.leave('First name')
  await tab.type('First name', 'Grace ')
  await tab.leave('First name')
  expect(asked(tab, 'contacts/update')).toEqual([])
  await tab.type('First name', 'Amazing')
  await tab.leave('First name')
  expect(tab.text('.toasts')).toContain('First name is saved.')
  await tab.press('Undo')
  expect(asked(tab, 'contacts/update')).toEqual([
    { contact_id: 7, first_name: 'Amazing' },
    { contact_id: 7, first_name: 'Grace' },
  ])
})

test('Enter saves a field, and Escape takes back what was written.', async () => {
  await open({ custom_fields: { city: 'Bergen' } })
  await tab.type('City', 'Oslo')
  await tab.key('Escape')
  expect(tab.field('City').value).toBe('Bergen')
  await tab.type('City', '')
  expect(await change(tab, 'contacts/update', () => tab.key('Enter'))).toEqual({
    busy: [],
    again: ['contacts/list', 'contacts/stats'],
  })
  expect(asked(tab, 'contacts/update')).toEqual([{ contact_id: 7, custom_fields: { city: null } }])
})

test('Custom fields are saved as what they are.', async () => {
  await open({ custom_fields: { age: 30 } })
  expect([tab.field('Age').value, tab.field('Age').getAttribute('step')]).toEqual(['30', 'any'])
  await tab.type('Age', '31.5')
  await tab.leave('Age')
  await tab.type('City', ' Oslo ')
  await tab.leave('City')
  await tab.type('Paid', 'true')
  await tab.type('Plan', 'big')
  await tab.type('Paid', 'false')
  expect(asked(tab, 'contacts/update').map(({ custom_fields }) => custom_fields)).toEqual([
    { age: 31.5 },
    { city: 'Oslo' },
    { paid: true },
    { plan: 'big' },
    { paid: false },
  ])
})

test('Lists stand with their state and its day, archived ones marked, deleted ones left out.', async () => {
  await open({ lists: [on(1), on(2, 'pending'), on(3, 'unsubscribed'), on(9)] })
  expect(tab.texts('.membership-words')).toEqual([
    'WeeklySubscribedsince 3 May 2026',
    'MonthlyWaits for a confirmationsince 3 May 2026',
    'Old (archived)Unsubscribedsince 4 Jun 2026',
  ])
  const switched = ['Weekly', 'Monthly', 'Old'].map((name) => tab.field(`On the list ${name}`))
  expect(switched.map((element) => element.getAttribute('aria-checked'))).toEqual(['true', 'true', 'false'])
})

test('A person on no list is told to be reached by no campaign.', async () => {
  await open()
  expect(tab.text('main')).toContain('On no list: no campaign that goes to a list reaches them.')
})

test('A switch takes somebody off a list at once, and asks for words before it puts them on one.', async () => {
  await open({ lists: [on(1), on(4, 'unsubscribed')] })
  expect(await change(tab, 'contacts/membership', () => tab.check('On the list Weekly'))).toEqual({
    busy: ['On the list Weekly'],
    again: ['contacts/list', 'contacts/stats', 'overview'],
  })
  expect(asked(tab, 'contacts/membership')).toEqual([{ contact_id: 7, list_id: 1, action: 'unsubscribe' }])
  expect(tab.text('.toasts')).toContain('Taken off “Weekly”.')
  await tab.check('On the list Daily')
  expect(tab.text('dialog h2')).toBe('Subscribe Grace Hopper to a list')
  await tab.press('Subscribe')
  expect(asked(tab, 'contacts/membership')).toHaveLength(1)
  await tab.type('What did they agree to, and where?', 'At the fair.')
  expect(await change(tab, 'contacts/membership', () => tab.press('Subscribe'))).toEqual({
    busy: ['Subscribe'],
    again: CHANGED,
  })
  expect(asked(tab, 'contacts/membership').at(-1)).toEqual({
    ...{ contact_id: 7, list_id: 4, action: 'subscribe' },
    consent_text: 'At the fair.',
  })
  expect(tab.text('.toasts')).toContain('Subscribed to “Daily”.')
})

test('A change of a list that was refused is told beside it.', async () => {
  await open({ lists: [on(1)] }, { asked: new Refusal(409, 'CONFLICT', undefined, 'The plan is full.') })
  await tab.check('On the list Weekly')
  expect(tab.text('.membership')).toContain('The plan is full.')
  expect(tab.text('.toasts')).not.toContain('Taken off')
})

test('Only lists that the person is not on can be chosen, and the words are needed.', async () => {
  await open({ lists: [on(1), on(2, 'unsubscribed')] }, { asked: { confirmations_queued: 1 } })
  await tab.press('Subscribe to a list…')
  expect(tab.text('dialog')).toContain('Choose a list first.')
  await tab.key('ArrowDown', {}, tab.field('List'))
  expect(tab.texts('[role=option]')).toEqual(['Monthly', 'Daily'])
  await tab.choose('List', 'Monthly')
  expect(tab.text('dialog')).toContain('They get a message to confirm')
  expect(tab.text('dialog')).toContain('Say what they agreed to first.')
  await tab.type('What did they agree to, and where?', 'Yes.')
  await tab.press('Subscribe')
  expect(tab.text('.toasts')).toContain('A message to confirm is queued.')
  expect(tab.find('.toast').getAttribute('class')).toContain('tone-good')
})

test('A contact who joins a list whose message to confirm cannot leave is said to wait.', async () => {
  const asked = { confirmations_queued: 1, confirmations_blocked: [{ list_id: 2, reason: 'limit' as const }] }
  await open({}, { asked })
  await tab.press('Subscribe to a list…')
  await tab.choose('List', 'Monthly')
  await tab.type('What did they agree to, and where?', 'Yes.')
  await tab.press('Subscribe')
  expect(tab.text('.toast')).toContain('The message to confirm waits: the limit of the connection is reached.')
  expect(tab.find('.toast').getAttribute('class')).toContain('tone-wait')
})

test.each<[string, Opened['asked']]>([
  ['A message to confirm is queued', { confirmations_queued: 1 }],
  ['They were asked within the last hour', { confirmations_queued: 0 }],
  [
    'The message to confirm waits: the limit of the connection is reached',
    { confirmations_queued: 0, confirmations_blocked: [{ list_id: 2, reason: 'limit' }] },
  ],
])('A contact who waits is asked again with the words of before, and it is said: “%s”.', async (said, answer) => {
  await open({ lists: [on(2, 'pending')] }, { asked: answer })
  const { busy } = await change(tab, 'contacts/membership', () => tab.press('Send the confirmation again'))
  expect(busy).toEqual(['On the list Monthly', 'Send the confirmation again'])
  expect(asked(tab, 'contacts/membership')).toEqual([
    { contact_id: 7, list_id: 2, action: 'subscribe', consent_text: 'Yes.' },
  ])
  expect(tab.text('.toasts')).toContain(said)
  const isQueued = (answer as { confirmations_queued: number }).confirmations_queued > 0
  expect(tab.find('.toast').getAttribute('class')).toContain(isQueued ? 'tone-good' : 'tone-wait')
})

test('A contact who came without words is asked again only with some.', async () => {
  await open({ consent_text: '', lists: [on(2, 'pending'), on(1)] })
  await tab.press('Send the confirmation again')
  expect(asked(tab, 'contacts/membership')).toEqual([])
  expect(tab.text('dialog h2')).toBe('Subscribe Grace Hopper to a list')
})

test('The answer to a change is shown at once, and the history stays.', async () => {
  const event = { id: 30, type: 'sent', at: AT, list_id: null, campaign_id: null } as const
  await open({ tag_ids: [5] }, { activity: [event], suppression: SUPPRESSED })
  tab.answers['contacts/tags'] = { contact: contact({ full_name: 'Amazing Grace' }) }
  tab.answers['contacts/get'] = () => new Promise(() => undefined)
  await tab.press('Remove VIP')
  expect([tab.text('h1'), tab.texts('.chip'), tab.texts('.timeline-title').length]).toEqual(['Amazing Grace', [], 1])
  expect(tab.text('.contact-standing')).toContain('Suppressed: by hand')
})

test('A tag that is taken away or given is told by itself.', async () => {
  await open({ tag_ids: [5] })
  expect(await change(tab, 'contacts/tags', () => tab.press('Remove VIP'))).toEqual({
    busy: [],
    again: ['contacts/list', 'contacts/stats'],
  })
  expect(asked(tab, 'contacts/tags')).toEqual([{ contact_id: 7, remove: [5] }])
})
