import { eq } from 'drizzle-orm'
import { beforeAll, test } from 'bun:test'
import { HOUR_MS, MINUTE_MS } from '../../../src/clock.ts'
import { lists } from '../../../src/store/tables/audience.ts'
import { SAMPLE_DOCUMENT } from '../../support/campaigns.ts'
import { expectRecorded } from '../../support/recorded.ts'
import { type PeopleTour, tourOfPeople } from '../../newsletter/people-tour.ts'
import { createSiteWorld, type SiteWorld } from '../site-world.ts'

let world: SiteWorld
let tour: PeopleTour
beforeAll(async () => {
  world = await createSiteWorld()
  tour = tourOfPeople(world)
})

const [WEEKLY, DAILY, ASKING, PRIVATE, ARCHIVED] = [1, 2, 3, 4, 5]

test('The pages that recipients open from a message, and what they change, are what is recorded.', async () => {
  await prepare()
  await confirming()
  await unsubscribing()
  await choosing()
  await asking()
  await others()
  expectRecorded('people/pages.txt', tour.text())
})

async function prepare(): Promise<void> {
  for (const [name, more] of [
    ['Weekly <b>', { description: 'Each Thursday & Monday.' }],
    ['Daily', {}],
    ['Asking', { double_opt_in: true, description: 'Asks first.' }],
    ['Private', { public: false }],
    ['Archived', {}],
  ] as const)
    await world.ok('lists/create', { name, ...more })
  await world.ok('lists/create', { name: 'Theirs' }, { as: world.keys.other })
  await world.ok('connections/create', { name: 'Sandbox', provider: 'sandbox' })
  await world.ok('settings/update', {
    from_name: 'Harbour News',
    from_email: 'news@harbour.example',
    company_name: 'Harbour Ltd',
    postal_address: '1 Quay Street',
  })
  const consent_text = 'Yes.'
  for (const [email, list_ids] of [
    ['ada@example.org', [WEEKLY, DAILY, ASKING, PRIVATE, ARCHIVED]],
    ['bob@example.org', [WEEKLY, ARCHIVED, ASKING]],
    ['cleo@example.org', [WEEKLY, PRIVATE]],
    ['dan@example.org', [DAILY, WEEKLY]],
    ['eve@example.org', [ASKING]],
  ] as const)
    await world.ok('contacts/upsert', { email, consent_text, list_ids })
  await world.ok('lists/update', { list_id: ARCHIVED, archived: true })
  await tour.skip()
}

/** The links of a kind in texts, in their order. */
const links = (texts: readonly string[], page: string) =>
  texts.flatMap((text) => new RegExp(`/general/newsletter/${page}/[\\w-]+`).exec(text)?.[0] ?? [])
const get = (sentence: string, path: string) => tour.visit(sentence, path)
const post = (sentence: string, path: string, body = '') => tour.visit(sentence, path, { method: 'POST', body })

async function confirming(): Promise<void> {
  tour.heading('Confirmation')
  const [ada = '', bob = '', eve = ''] = links(await tour.messages(1), 'confirm')
  await tour.skip()
  await get('What Ada is asked.', ada)
  await post('She confirms.', ada)
  await get('There is nothing left.', ada)
  await post('She confirms again.', ada)
  await tour.changes()
  world.clock.advance(MINUTE_MS)
  await post('Eve, who waited.', eve)
  await world.ok('contacts/update', { contact_id: 2, email: 'bobby@example.org' })
  await get("The link to Bob's former address.", bob)
  await post('Confirmed from there.', bob)
  await tour.changes()
  await get('A link that is broken.', `${bob.slice(0, -1)}!`)
  await tour.visit('Another method.', ada, { method: 'PUT' })
  await tour.visit('Only the head.', ada, { method: 'HEAD' })
}

async function unsubscribing(): Promise<void> {
  tour.heading('Unsubscribing')
  const campaign = async (name: string, include: object[]) => {
    const audience_spec = { include }
    const draft = { name, subject: name, editor_json: SAMPLE_DOCUMENT, audience_spec }
    const campaign_id = (await world.ok('campaigns/create', draft)).campaign.id
    await world.ok('campaigns/send', { campaign_id })
    await world.service.drain('jobs')
    return links(await tour.messages(), 'unsubscribe')
  }
  const list = (id: number) => ({ type: 'list', id })
  const [ada = '', bob = '', cleo = '', dan = ''] = await campaign('To lists', [list(WEEKLY), list(DAILY)])
  await tour.skip()
  await get('Ada is on other lists.', ada)
  await post('She leaves the lists.', ada)
  await tour.changes()
  await get('Again.', ada)
  await post('From everything.', ada, 'scope=all')
  await tour.changes()
  await get('Afterwards.', ada)
  await get('Bob is on an archived list, and one that waits.', bob)
  await post('He leaves the last list.', bob, 'List-Unsubscribe=One-Click')
  await tour.changes()
  await get('Cleo is on a list that nobody sees.', cleo)
  await tour.visit('She leaves by one click in parts.', cleo, {
    method: 'POST',
    body: '--x\r\nContent-Disposition: form-data; name="scope"\r\n\r\nlists\r\n--x--\r\n',
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
  })
  await post('Again.', cleo)
  await tour.changes()
  await world.service.runtime.store.write((tx) => tx.delete(lists).where(eq(lists.id, DAILY)))
  await get('A list of the message is gone.', dan)
  await world.ok('suppressions/add', { email: 'dan@example.org', reason: 'manual', note: 'By hand.' })
  await tour.skip()
  await post('Dan leaves, under a block by hand.', dan)
  await tour.changes()

  tour.heading('A message to everybody')
  const everybody = await campaign('To all', [{ type: 'all' }, list(PRIVATE)])
  await tour.skip()
  await get('Whom no list leads to.', everybody[0]!)
  await post('From everything.', everybody[0]!)
  await tour.changes()
  await tour.call('The report.', 'campaigns/stats', { campaign_id: 1 })
  const [, eve = ''] = everybody
  await world.ok('contacts/delete', { contact_id: 5 })
  await get('Whose contact was deleted.', eve)
  await world.ok('contacts/upsert', { email: 'EVE@example.org', consent_text: 'Again.', list_ids: [WEEKLY] })
  await tour.skip()
  await get('Who came back.', eve)
  await post('The old link serves the new contact.', eve)
  await tour.changes()
}

async function choosing(): Promise<void> {
  tour.heading('Preferences')
  const consent_text = 'Yes.'
  await world.ok('contacts/upsert', { email: 'fay@example.org', consent_text, list_ids: [WEEKLY, PRIVATE, ASKING] })
  await world.ok('contacts/upsert', { email: 'gus@example.org', consent_text })
  const own = `/general/newsletter/own-link/${world.project.public_id}`
  for (const name of ['fay', 'gus'])
    await world.fetch(own, { method: 'POST', body: new URLSearchParams({ email: `${name}@example.org` }) })
  const [fay = '', gus = ''] = links(await tour.messages(), 'preferences')
  await tour.skip()
  await get('What Fay is on.', fay)
  await post('She changes nothing.', fay, `list_ids=${WEEKLY}`)
  await tour.changes()
  await post('She joins a list that asks, and leaves another.', fay, `list_ids=${ASKING}`)
  await tour.changes()
  await post('She leaves the last list that is shown.', fay)
  await tour.changes()
  await post('What is not offered.', fay, `list_ids=${PRIVATE}&list_ids=${ARCHIVED}&list_ids=6&list_ids=x`)
  await tour.changes()
  await post('She leaves everything.', fay, 'unsubscribe_all=1')
  await get('Afterwards.', fay)
  await post('She comes back.', fay, `list_ids=${WEEKLY}&list_ids=${ASKING}`)
  await tour.changes()
  await post('Gus, who was on no list.', gus, `list_ids=${WEEKLY}`)
  await post('He leaves it.', gus, 'unsubscribe_all=0')
  await tour.changes()
  await world.ok('suppressions/add', { email: 'gus@example.org', reason: 'complaint' })
  await post('He cannot come back.', gus, `list_ids=${WEEKLY}`)
  await world.ok('contacts/update', { contact_id: 7, email: 'fanny@example.org' })
  await post('A link that went to a former address.', fay, `list_ids=${WEEKLY}&list_ids=${ASKING}&list_ids=7`)
  await world.ok('lists/create', { name: 'New' })
  await post('It joins no list.', fay, `list_ids=${WEEKLY}&list_ids=${ASKING}&list_ids=7`)
  await tour.changes()
  await post('It leaves.', fay)
  await tour.changes()
  await world.ok('contacts/delete', { contact_id: 8 })
  await get('Whose contact is gone.', gus)
  await post('Whose contact is gone.', gus)
  await get('A broken link.', '/general/newsletter/preferences/nothing')
}

async function asking(): Promise<void> {
  tour.heading('A personal link')
  const own = `/general/newsletter/own-link/${world.project.public_id}`
  for (const email of ['hal@example.org', 'ian@example.org', 'jim@example.org'])
    await world.ok('contacts/upsert', { email, consent_text: 'Yes.', list_ids: email.startsWith('h') ? [WEEKLY] : [] })
  await world.ok('contacts/unsubscribe', { contact_id: 10 })
  await world.ok('suppressions/add', { email: 'jim@example.org', reason: 'manual' })
  await tour.messages()
  await tour.skip()
  const ask = (sentence: string, email: string) => post(sentence, own, `email=${encodeURIComponent(email)}`)
  await get('The page.', own)
  await get('Of no project.', '/general/newsletter/own-link/prj_nobody')
  await ask('No address.', 'hal')
  await ask('Whom nobody knows.', 'nobody@example.org')
  await ask('Who left.', 'ian@example.org')
  await ask('A contact.', ' HAL@example.org ')
  await tour.changes()
  await tour.messages(1)
  await tour.changes()
  for (const [after, sentence] of [
    [59 * MINUTE_MS, 'Within the hour.'],
    [MINUTE_MS, 'After an hour.'],
    [HOUR_MS, 'After two.'],
    [HOUR_MS, 'After three.'],
    [22 * HOUR_MS, 'On the next day.'],
  ] as const) {
    world.clock.advance(after)
    const { status } = await world.fetch(own, {
      method: 'POST',
      body: new URLSearchParams({ email: 'hal@example.org' }),
    })
    tour.write(`- ${sentence} ${status}`)
    await tour.messages()
  }
  await ask('Whose address is blocked by hand.', 'jim@example.org')
  await tour.messages()
  await tour.changes()
  await post('Of no project.', '/general/newsletter/own-link/prj_nobody', 'email=hal%40example.org')
}

/** Messages of other kinds, and a project with its own language and colors. */
async function others(): Promise<void> {
  tour.heading('Links of test messages, and another language')
  await world.ok('settings/update', { locale: 'de', brand_color: '#fc0', logo_url: 'https://harbour.example/logo.png' })
  await world.ok('campaigns/create', {
    name: 'Test',
    subject: 'Test',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: WEEKLY }] },
  })
  await world.ok('campaigns/test-send', { campaign_id: 3, emails: ['hal@example.org'], contact_id: 9 })
  const [tested = ''] = links(await tour.messages(), 'unsubscribe')
  await get('Of a test message.', tested)
  await post('Of a test message.', tested)
  await post('Of a test message.', tested.replace('unsubscribe', 'preferences'), 'unsubscribe_all=1')
  await world.ok('contacts/upsert', { email: 'kim@example.org', consent_text: 'Ja.', list_ids: [ASKING] })
  const [kim = ''] = links(await tour.messages(1), 'confirm')
  await get('A confirmation.', kim)
  await post('It is confirmed.', kim)
  await get('A personal link.', `/general/newsletter/own-link/${world.project.public_id}`)
}
