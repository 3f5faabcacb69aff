import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createSiteWorld, type SiteWorld } from '../http/site-world.ts'

let world: SiteWorld
beforeAll(async () => (world = await createSiteWorld()))
afterAll(() => world.close())

/** The newest rows of the project by the given action, and the names that come with them. */
async function rows(action: string): Promise<{ items: any[]; names: Record<string, string> }> {
  const answer = await world.as('owner', '/project/audit/list', { action })
  return answer.body as { items: any[]; names: Record<string, string> }
}

test('A change tells what it replaced, and nothing of what stayed as it was.', async () => {
  const { list } = await world.ok('lists/create', { name: 'Weekly', description: 'All the news' })
  const kept = { list_id: list.id, description: 'All the news', public: list.public }
  await world.ok('lists/update', { ...kept, name: `Daily ${'x'.repeat(90)}` })
  const { items } = await rows('lists/update')
  expect(items[0].details).toEqual({
    name: 'Weekly',
    changes: { name: ['Weekly', `Daily ${'x'.repeat(54)}…`] },
  })
  const { campaign } = await world.ok('campaigns/create', {
    name: 'May',
    subject: 'Tides',
    audience_spec: { include: [{ type: 'list', id: list.id }] },
  })
  const { editor_json } = campaign
  await world.ok('campaigns/update', { campaign_id: campaign.id, subject: '', name: 'May', editor_json })
  expect((await rows('campaigns/update')).items[0].details).toEqual({
    ...{ name: 'May', fields: ['editor_json'], changes: { subject: ['Tides', ''] } },
  })
})

test('A role, the settings of a project and its name are told before and after.', async () => {
  const { slug } = world.project
  await world.as('owner', '/project/members/update', { user_id: world.users.member, role: 'editor' })
  await world.as('owner', '/project/members/update', { user_id: world.users.member, role: 'member' })
  const [, first] = (await rows('POST /project/members/update')).items
  expect(first.details).toEqual({ role: 'editor', changes: { role: ['member', 'editor'] } })
  await world.as('owner', '/project/update', { name: 'Quay', slug, domain: 'other.example' })
  expect((await rows('POST /project/update')).items[0].details).toEqual({
    // The domain is claimed: another one is in force until it is proven.
    ...{ fields: ['domain'], changes: { name: ['Harbour News', 'Quay'] } },
  })
  await world.as('owner', '/project/form-settings/update', { form: null, notify: [], keep_days: 9 })
  expect((await rows('POST /project/form-settings/update')).items[0].details).toEqual({
    ...{ form: null, keep_days: 9, fields: ['notify'] },
  })
  await world.ok('settings/update', { locale: 'de', from_email: 'news@harbour.example' })
  expect((await rows('settings/update')).items[0].details).toMatchObject({ fields: ['from_email'] })
})

test('Things and people have their present names; what is gone has the name that the row keeps.', async () => {
  const { tag } = await world.ok('tags/create', { name: 'VIP' })
  const created = await rows('tags/create')
  expect(created.items[0].details).toEqual({ name: 'VIP' })
  expect(created.names[`tag:${tag.id}`]).toBe('VIP')
  await world.ok('tags/delete', { tag_id: tag.id })
  const deleted = await rows('tags/delete')
  expect(deleted.items[0]).toMatchObject({ target: `tag:${tag.id}`, details: { name: 'VIP' } })
  expect(deleted.names[`tag:${tag.id}`]).toBeUndefined()

  const { contact } = await world.ok('contacts/upsert', {
    ...{ email: 'ann@example.com', first_name: 'Ann', last_name: 'Berg', consent_text: 'Yes.' },
  })
  await world.ok('contacts/update', { contact_id: contact.id, first_name: 'Anna' })
  const changed = await rows('contacts/update')
  expect(changed.items[0].details).toEqual({ fields: ['first_name'] })
  expect(changed.names[`contact:${contact.id}`]).toBe('Anna Berg')
  await world.ok('contacts/delete', { contact_id: contact.id })
  expect(Object.keys((await rows('contacts/update')).names)).not.toContain(`contact:${contact.id}`)

  const token = await world.token('owner')
  await world.ok('lists/create', { name: 'By an app' }, { as: token })
  const { items, names } = await rows('lists/create')
  const [app, user] = items[0].actor.split(' for ')
  expect([names[app], names[user]]).toEqual(['Test app', 'owner'])
})
