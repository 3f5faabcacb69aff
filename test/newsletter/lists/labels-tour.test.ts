import { beforeAll, test } from 'bun:test'
import { SAMPLE_DOCUMENT } from '../../support/campaigns.ts'
import { expectRecorded } from '../../support/recorded.ts'
import { createWorld, type World } from '../../support/world.ts'
import { type PeopleTour, tourOfPeople } from '../people-tour.ts'

let world: World
let tour: PeopleTour
beforeAll(async () => {
  world = await createWorld()
  tour = tourOfPeople(world)
})

const MINUTE = 60_000

test('Answers and rows of lists, tags and custom fields are those that are recorded.', async () => {
  await neighbors()
  await lists()
  await tags()
  await customFields()
  expectRecorded('people/labels.txt', tour.text())
})

/** Another project has things with the same names, and contacts with the same addresses. */
async function neighbors(): Promise<void> {
  const as = { as: world.keys.other }
  await world.ok('lists/create', { name: 'Weekly' }, as)
  await world.ok('tags/create', { name: 'gold', color: '#ffd700' }, as)
  await world.ok('custom-fields/create', { key: 'boat', label: 'Their boat', type: 'text' }, as)
  const person = { email: 'ada@example.org', consent_text: 'Theirs.', list_ids: [1], tag_ids: [1] }
  await world.ok('contacts/upsert', { ...person, custom_fields: { boat: 'Kon-Tiki' } }, as)
  await tour.skip()
}

async function lists(): Promise<void> {
  tour.heading('Lists')
  await tour.call('A list with its name alone.', 'lists/create', { name: '  Weekly  ' })
  world.clock.advance(MINUTE)
  await tour.call('A list with everything.', 'lists/create', {
    name: 'Offers',
    description: 'What is cheap,\nand where.',
    double_opt_in: true,
    public: false,
  })
  await tour.call('Another, by an editor.', 'lists/create', { name: 'Press', description: '' }, { as: 'editor' })
  world.clock.advance(-2 * MINUTE)
  await tour.call('One more with everything switched off, created before the others.', 'lists/create', {
    name: 'Members',
    double_opt_in: false,
    public: true,
  })
  world.clock.advance(2 * MINUTE)
  await tour.call('A name that is taken, in other case.', 'lists/create', { name: 'WEEKLY' })
  await tour.call('A name of blanks.', 'lists/create', { name: '   ' })
  await tour.call('A name of 100 characters.', 'lists/create', { name: 'n'.repeat(100) })
  await tour.call('A name of 101 characters.', 'lists/create', { name: 'n'.repeat(101) })
  await tour.call('A description that is too long.', 'lists/create', { name: 'Long', description: 'd'.repeat(1001) })
  await tour.call('Unknown and wrong properties.', 'lists/create', { name: 7, public: 'yes', archived: true })
  await tour.changes()

  tour.heading('Changes of lists')
  const [weekly, offers, press, members, long] = [2, 3, 4, 5, 6]
  world.clock.advance(MINUTE)
  await tour.call('A change of nothing.', 'lists/update', { list_id: weekly })
  await tour.call('A new name.', 'lists/update', { list_id: weekly, name: ' Fortnightly ' })
  world.clock.advance(MINUTE)
  await tour.call('Its own name in other case.', 'lists/update', { list_id: weekly, name: 'FORTNIGHTLY' })
  await tour.call('Everything else.', 'lists/update', {
    list_id: press,
    description: 'For papers.',
    double_opt_in: true,
    public: false,
    archived: true,
  })
  world.clock.advance(MINUTE)
  await tour.call('Archived again, which keeps the time.', 'lists/update', { list_id: press, archived: true })
  await tour.call('Archived as well.', 'lists/update', { list_id: members, archived: true })
  await tour.changes()
  await tour.call('Back from the archive.', 'lists/update', { list_id: members, archived: false })
  await tour.call('The name of another list.', 'lists/update', { list_id: offers, name: 'press' })
  await tour.call("A neighbor's list.", 'lists/update', { list_id: 1, name: 'Mine' })
  await tour.call('A list that nobody has.', 'lists/update', { list_id: 99, archived: true })
  await tour.changes()

  tour.heading('Pages of lists')
  const show = ({ id, name, archived }: any) => [id, name.slice(0, 20), archived]
  await tour.call('All that are in use.', 'lists/list')
  await tour.pages('Two a page, with archived ones.', 'lists/list', { include_archived: true, limit: 2 }, show)
  await tour.pages('Two a page, without.', 'lists/list', { include_archived: false, limit: 2 }, show)
  await tour.call('No item.', 'lists/list', { limit: 0 })
  await tour.call('Too many.', 'lists/list', { limit: 201 })
  await tour.call('A broken cursor.', 'lists/list', { cursor: 'next' })

  tour.heading('The end of lists')
  const consent_text = 'Yes.'
  for (const [email, list_ids] of [
    ['ada@example.org', [weekly, offers, long]],
    ['bob@example.org', [offers]],
    ['cleo@example.org', [weekly, press]],
    ['dan@example.org', []],
  ] as const)
    await world.ok('contacts/upsert', { email, consent_text, list_ids })
  const campaign = async (name: string, audience_spec: object) =>
    (await world.ok('campaigns/create', { name, subject: name, editor_json: SAMPLE_DOCUMENT, audience_spec })).campaign
      .id as number
  await campaign('Includes it', { include: [{ type: 'list', id: offers }] })
  const included = await campaign('Includes it as well', { include: [{ type: 'list', id: offers }] })
  const excluded = await campaign('Excludes it', {
    include: [{ type: 'list', id: weekly }],
    exclude: [{ type: 'list', id: offers }],
  })
  await tour.skip()
  world.clock.advance(MINUTE)
  await tour.call('A list that drafts use.', 'lists/delete', { list_id: offers })
  for (const campaign_id of [1, included, excluded]) await world.ok('campaigns/delete', { campaign_id })
  await tour.skip()
  await tour.call('The list that no campaign uses any more.', 'lists/delete', { list_id: offers })
  await tour.changes()
  await tour.call('It is gone.', 'lists/delete', { list_id: offers })
  await tour.call("A neighbor's list.", 'lists/delete', { list_id: 1 })
  await tour.call('An editor may delete none.', 'lists/delete', { list_id: weekly }, { as: 'editor' })
  await tour.call('An administrator may.', 'lists/delete', { list_id: press }, { as: 'administrator' })
  await tour.changes()
}

async function tags(): Promise<void> {
  tour.heading('Tags')
  await tour.call('A tag without a color.', 'tags/create', { name: ' gold ' })
  world.clock.advance(MINUTE)
  for (const [name, color] of [
    ['silver', '#abc'],
    ['bronze', '#cd7f32'],
    ['tin', 'LightGray'],
    ['iron', ''],
  ] as const)
    await tour.call(`The color ${JSON.stringify(color)}.`, 'tags/create', { name, color })
  world.clock.advance(-5 * MINUTE)
  await tour.call('A tag that was created before the others.', 'tags/create', { name: 'lead' })
  world.clock.advance(5 * MINUTE)
  for (const color of ['#ab', '#abcdefa', 'light gray', 'x'.repeat(21)])
    await tour.call('A color that is none.', 'tags/create', { name: 'wrong', color })
  await tour.call('A name that is taken, in another form.', 'tags/create', { name: 'GOLD' })
  await tour.call('A name that is too long.', 'tags/create', { name: 't'.repeat(101) })
  await tour.changes()
  world.clock.advance(MINUTE)
  const [gold, silver, bronze, tin] = [2, 3, 4, 5]
  await tour.call('A change of nothing.', 'tags/update', { tag_id: gold })
  await tour.call('A new color.', 'tags/update', { tag_id: silver, color: '#c0c0c0' })
  await tour.call('No color any more.', 'tags/update', { tag_id: bronze, color: '' })
  await tour.call('A new name.', 'tags/update', { tag_id: tin, name: ' Pewter ' })
  await tour.call('The name of another tag.', 'tags/update', { tag_id: tin, name: 'Silver' })
  await tour.call("A neighbor's tag.", 'tags/update', { tag_id: 1, name: 'Mine' })
  await tour.changes()
  await tour.call('All tags.', 'tags/list')
  await tour.pages('Two a page.', 'tags/list', { limit: 2 }, ({ id, name, color }) => [id, name, color])

  const consent_text = 'Yes.'
  for (const [email, tag_ids] of [
    ['ada@example.org', [gold, silver, tin]],
    ['bob@example.org', [silver]],
    ['cleo@example.org', [gold]],
  ] as const)
    await world.ok('contacts/upsert', { email, consent_text, tag_ids })
  await tour.skip()
  world.clock.advance(MINUTE)
  await tour.call('The end of a tag.', 'tags/delete', { tag_id: gold })
  await tour.call('It is gone.', 'tags/delete', { tag_id: gold })
  await tour.call("A neighbor's tag.", 'tags/delete', { tag_id: 1 })
  await tour.changes()
}

async function customFields(): Promise<void> {
  tour.heading('Custom fields')
  const field = (key: string, type: string, more = {}) => ({ key, label: ` The ${key} `, type, ...more })
  await tour.call('A text.', 'custom-fields/create', field('boat', 'text'))
  world.clock.advance(MINUTE)
  await tour.call('A number.', 'custom-fields/create', field('length', 'number'))
  await tour.call('A truth.', 'custom-fields/create', field('skipper', 'boolean'))
  await tour.call('A day.', 'custom-fields/create', field('launched', 'date'))
  await tour.call('A choice.', 'custom-fields/create', field('harbor', 'select', { options: ['Oslo', 'Moss', 'Ås'] }))
  await tour.call('A choice of nothing.', 'custom-fields/create', field('none', 'select'))
  await tour.call('A choice of no options.', 'custom-fields/create', field('none', 'select', { options: [] }))
  await tour.call('A choice twice.', 'custom-fields/create', field('twice', 'select', { options: ['a', 'a'] }))
  await tour.call('A text with options.', 'custom-fields/create', field('text', 'text', { options: ['a'] }))
  await tour.call('A key that is taken.', 'custom-fields/create', field('boat', 'number'))
  await tour.call('A key of capitals.', 'custom-fields/create', field('Boat', 'text'))
  await tour.call('A key of 41 characters.', 'custom-fields/create', field('k'.repeat(41), 'text'))
  await tour.call('Another type.', 'custom-fields/create', field('url', 'url'))
  for (let more = 1; more <= 8; more += 1) await world.ok('custom-fields/create', field(`more_${more}`, 'number'))
  await tour.changes()
  await tour.call('The first five.', 'custom-fields/list', { limit: 5 })
  await tour.pages('Five a page.', 'custom-fields/list', { limit: 5 }, ({ id, key, type }) => [id, key, type])

  tour.heading('Values of contacts')
  const save = (sentence: string, email: string, custom_fields: object) =>
    tour.call(sentence, 'contacts/upsert', { email, consent_text: 'Yes.', custom_fields })
  await save('A value of each type.', 'ada@example.org', {
    boat: 'Fram',
    length: 39.5,
    skipper: true,
    launched: '1892-10-26',
    harbor: 'Ås',
    more_7: 7,
    more_8: -8,
  })
  await save('Others.', 'bob@example.org', { boat: '', length: 0, skipper: false, launched: '2024-02-29', more_8: 88 })
  await save('Every value is of the wrong type.', 'cleo@example.org', {
    boat: 1,
    length: '39',
    skipper: 'yes',
    launched: '2023-02-29',
    harbor: 'Bergen',
    more_1: true,
  })
  await save('A text of 1000 characters and an unknown key.', 'cleo@example.org', { boat: 'b'.repeat(1000), x: 1 })
  await save('A text of 1001 characters.', 'cleo@example.org', { boat: 'b'.repeat(1001) })
  await save('A value goes, another changes, a third comes.', 'ada@example.org', {
    boat: null,
    length: 40,
    more_1: 11,
    more_8: null,
  })
  await tour.changes()

  tour.heading('Changes of custom fields')
  world.clock.advance(MINUTE)
  const update = (sentence: string, field_id: number, body: object = {}) =>
    tour.call(sentence, 'custom-fields/update', { field_id, ...body })
  await update('A change of nothing.', 6)
  await update('A new label.', 2, { label: ' Name of the boat ' })
  await update('New options.', 6, { options: ['Moss', 'Drøbak'] })
  await update('Options of a text.', 2, { options: ['a'] })
  await update('Another type, though there are values.', 3, { type: 'text' })
  await update('The same type.', 3, { type: 'number' })
  await update('Another type, without values.', 8, { type: 'date' })
  await update('A choice, without options.', 8, { type: 'select' })
  await update('A choice.', 8, { type: 'select', options: ['x', 'y', 'z'] })
  await update('A choice no longer.', 8, { type: 'boolean' })
  await update("A neighbor's field.", 1, { label: 'Mine' })
  await tour.changes()
  await tour.call('The end of a field with a slot.', 'custom-fields/delete', { field_id: 3 })
  await tour.call('The end of a field without one.', 'custom-fields/delete', { field_id: 14 })
  await tour.call("A neighbor's field.", 'custom-fields/delete', { field_id: 1 })
  await tour.call('It is gone.', 'custom-fields/delete', { field_id: 3 })
  await tour.changes()
  await tour.call('A new field takes the slot that is free.', 'custom-fields/create', field('crew', 'number'))
  await tour.call('The next has none.', 'custom-fields/create', field('sails', 'number'))
  await tour.changes()
}
