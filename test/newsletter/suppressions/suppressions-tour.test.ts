import { beforeAll, test } from 'bun:test'
import { MINUTE_MS } from '../../../src/clock.ts'
import { suppressMany } from '../../../src/newsletter/suppressions/suppress-many.ts'
import { SUPPRESSION_REASONS } from '../../../src/store/tables/audience.ts'
import { expectRecorded } from '../../support/recorded.ts'
import { createWorld, type World } from '../../support/world.ts'
import { type PeopleTour, tourOfPeople } from '../people-tour.ts'

let world: World
let tour: PeopleTour
beforeAll(async () => {
  world = await createWorld()
  tour = tourOfPeople(world)
})

const [OPEN, ASKING] = [1, 2]
const consent_text = 'Yes.'

test('What a suppression does to addresses, contacts and their former addresses is what is recorded.', async () => {
  await prepare()
  await reasons()
  await many()
  await found()
  await ended()
  expectRecorded('people/suppressions.txt', tour.text())
})

async function prepare(): Promise<void> {
  await world.ok('lists/create', { name: 'Open' })
  await world.ok('lists/create', { name: 'Asking', double_opt_in: true })
  const as = { as: world.keys.other }
  await world.ok('lists/create', { name: 'Open' }, as)
  for (const email of ['ada@example.org', 'bob@example.org'])
    await world.ok('contacts/upsert', { email, consent_text, list_ids: [3] }, as)
  await world.ok('suppressions/add', { email: 'ada@example.org', reason: 'complaint', note: 'Theirs.' }, as)
  for (const email of ['ada@old.example', 'bob@example.org', 'cleo@example.org', 'dan@example.org', 'eve@example.org'])
    await world.ok('contacts/upsert', { email, consent_text, list_ids: [OPEN, ASKING] })
  await world.ok('contacts/update', { contact_id: 3, email: 'ada@older.example' })
  await world.ok('contacts/update', { contact_id: 3, email: 'Ada@example.org' })
  await tour.skip()
}

const add = (sentence: string, email: string, more: object = {}) =>
  tour.call(sentence, 'suppressions/add', { email, ...more })

async function reasons(): Promise<void> {
  tour.heading('Reasons')
  await add('By hand, without a contact.', ' Nobody@Example.org ')
  await add('By hand, with a contact.', 'bob@example.org', { note: 'By telephone.' })
  await add('Stronger, without a note.', 'BOB@example.org', { reason: 'hard_bounce' })
  await add('Weaker, with a note.', 'bob@example.org', { reason: 'unsubscribe', note: 'By letter.' })
  await tour.changes()
  await add('An opt-out of a contact with former addresses.', 'ada@example.org', { reason: 'unsubscribe' })
  await tour.changes()
  await add('A bounce.', 'cleo@example.org', { reason: 'hard_bounce' })
  await add('A complaint.', 'dan@example.org', { reason: 'complaint', note: 'n'.repeat(1000) })
  await tour.changes()
  await add('The same again.', 'dan@example.org', { reason: 'complaint', note: '' })
  await add('A complaint after an opt-out.', 'ada@example.org', { reason: 'complaint' })
  await tour.changes()
  await add('No address.', 'ada')
  await add('No reason.', 'ada@example.org', { reason: 'bounce' })
  await add('A note that is too long.', 'ada@example.org', { note: 'n'.repeat(1001) })
  for (const before of SUPPRESSION_REASONS)
    for (const after of SUPPRESSION_REASONS) {
      const email = `${before}-${after}@example.org`
      await world.ok('suppressions/add', { email, reason: before, note: 'First.' })
      const { suppression } = await world.ok('suppressions/add', { email, reason: after })
      const { contact } = await world.ok('contacts/upsert', {
        email,
        consent_text,
        list_ids: [OPEN],
        resubscribe: true,
      })
      tour.write(`${before}, then ${after}: ${suppression.reason} ${suppression.note} ${contact.global_status}`)
    }
  await tour.skip()
}

/** As a provider reports them: by statements for many addresses. */
async function many(): Promise<void> {
  tour.heading('Many at once')
  const email = (name: string) => `${name}@many.example`
  for (const name of ['manual', 'left', 'bounced', 'complained', 'leaving'])
    await world.ok('contacts/upsert', { email: email(name), consent_text, list_ids: [OPEN, ASKING] })
  await world.ok('contacts/upsert', { email: 'former@many.example', consent_text })
  const { contact } = await world.ok('contacts/get', { email: 'former@many.example' })
  for (const name of ['second', 'third'])
    await world.ok('contacts/update', { contact_id: contact.id, email: email(name) })
  await world.ok('contacts/unsubscribe', { contact_id: contact.id - 1 })
  await tour.skip()
  world.clock.advance(MINUTE_MS)
  const apply = async (sentence: string, ...given: (readonly [string, (typeof SUPPRESSION_REASONS)[number]])[]) => {
    const changed = await world.service.runtime.store.write((tx) =>
      suppressMany(
        tx,
        world.project.id,
        given.map(([name, reason]) => ({ email: email(name), reason })),
        world.clock.now(),
      ),
    )
    tour.write(`- ${sentence}`, `  ${given.map((part) => part.join(' ')).join(', ')}: ${[...changed].join(' ')}`)
    await tour.changes()
  }
  await apply(
    'Of each reason.',
    ['MANUAL', 'manual'],
    ['left', 'unsubscribe'],
    ['bounced', 'hard_bounce'],
    ['complained', 'complaint'],
    ['leaving', 'hard_bounce'],
    ['unknown', 'hard_bounce'],
    ['third', 'unsubscribe'],
  )
  world.clock.advance(MINUTE_MS)
  await apply('Weaker and stronger ones.', ['bounced', 'unsubscribe'], ['left', 'hard_bounce'], ['third', 'complaint'])
  await apply('Nothing new.', ['bounced', 'manual'], ['complained', 'complaint'])
  await apply('Nobody.')
}

async function found(): Promise<void> {
  tour.heading('Suppressions that are found')
  await world.ok('contacts/delete', { contact_id: 5 })
  const show = ({ id, email, reason }: any) => `${id} ${email} ${reason}`
  const pages = (sentence: string, body: object) => tour.pages(sentence, 'suppressions/list', { ...body }, show)
  await tour.call('The first, whole.', 'suppressions/list', { limit: 3 })
  await tour.call("A neighbor's.", 'suppressions/list', {}, { as: 'other' })
  await pages('In pages.', { limit: 12 })
  await pages('The newest first.', { limit: 12, order: 'newest' })
  for (const reason of SUPPRESSION_REASONS) await pages('Of a reason, in pages.', { reason, limit: 5 })
  await pages('Of a search.', { search: ' MANUAL-' })
  await pages('Of a search and a reason, in pages.', {
    search: '-hard_',
    reason: 'complaint',
    limit: 1,
    order: 'oldest',
  })
  await pages('Part of the address of a deleted contact.', { search: 'cleo' })
  await pages('The address of a deleted contact.', { search: 'CLEO@example.org ' })
  await pages('Its address and another reason.', { search: 'cleo@example.org', reason: 'manual' })
  await pages('Nothing.', { search: 'zoe' })
  await tour.call('A reason that is none.', 'suppressions/list', { reason: 'gone' })
  await tour.call('A search that is too long.', 'suppressions/list', { search: 's'.repeat(321) })
}

async function ended(): Promise<void> {
  tour.heading('The end of suppressions')
  await tour.skip()
  const remove = (sentence: string, email: string, more: object = {}) =>
    tour.call(sentence, 'suppressions/remove', { email, ...more })
  await remove('A bounce, of a contact.', ' BOB@example.org')
  await remove('Without a contact.', 'nobody@example.org')
  await remove('A complaint.', 'dan@example.org')
  await remove('A complaint, refused.', 'dan@example.org', { confirm: false })
  await remove('A complaint, confirmed.', 'dan@example.org', { confirm: true })
  await remove('Of a deleted contact.', 'cleo@example.org', { confirm: true })
  await remove('It is gone.', 'bob@example.org')
  await remove("Of a neighbor's.", 'theirs@example.org')
  await tour.changes()
}
