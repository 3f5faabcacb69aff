import { eq } from 'drizzle-orm'
import { jobs } from '../../src/store/tables/jobs.ts'
import { SAMPLE_DOCUMENT } from '../support/campaigns.ts'
import type { World } from '../support/world.ts'

/** For each operation a body that succeeds, made anew each time: what a sample uses up (a name, a contact) is fresh. */

export type Body = Record<string, unknown>

export interface Seed {
  list_id: number
  tag_id: number
  connection_id: number
  contact_id: number
  campaign_id: number
}

export async function seed(world: World): Promise<Seed> {
  const { connection } = await world.ok('connections/create', { name: 'Sandbox', provider: 'sandbox' })
  await world.ok('settings/update', {
    from_name: 'Harbour News',
    from_email: 'news@harbour.example',
    company_name: 'Harbour Ltd',
    postal_address: '1 Quay Street, Porthaven',
    default_connection_id: connection.id,
  })
  const { list } = await world.ok('lists/create', { name: 'Seeded list' })
  const { tag } = await world.ok('tags/create', { name: 'Seeded tag' })
  const seeded = { list_id: list.id, tag_id: tag.id, connection_id: connection.id }
  const { contact } = await world.ok('contacts/upsert', {
    email: 'seeded@example.com',
    first_name: 'Sea',
    list_ids: [list.id],
    consent_text: 'Yes',
  })
  const { campaign } = await world.ok('campaigns/create', draft(seeded))
  return { ...seeded, contact_id: contact.id, campaign_id: campaign.id }
}

let used = 0
const fresh = (what: string): string => `${what} ${++used}`
const address = (): string => `person${++used}@example.com`

const draft = ({ list_id, tag_id }: Pick<Seed, 'list_id' | 'tag_id'>): Body => ({
  subject: fresh('Tides'),
  editor_json: SAMPLE_DOCUMENT,
  audience_spec: { include: [{ type: 'list', id: list_id }], exclude: [{ type: 'tag', id: tag_id }] },
})

const rules = (list_id: number): Body => ({
  op: 'and',
  rules: [
    { field: 'list', operator: 'in', value: [list_id], status: 'subscribed' },
    { op: 'not', rules: [{ field: 'opened', value: { in_last_days: 30 } }] },
  ],
})

/** What somebody else has made for this sample alone. */
const made = {
  contact: async (world: World) =>
    (await world.ok('contacts/upsert', { email: address(), consent_text: 'Yes' })).contact.id as number,
  list: async (world: World) => (await world.ok('lists/create', { name: fresh('List') })).list.id as number,
  tag: async (world: World) => (await world.ok('tags/create', { name: fresh('Tag') })).tag.id as number,
  segment: async (world: World, { list_id }: Seed) =>
    (await world.ok('segments/create', { name: fresh('Segment'), rules: rules(list_id) })).segment.id as number,
  field: async (world: World) =>
    (await world.ok('custom-fields/create', { key: `field_${++used}`, label: 'Field', type: 'text' })).custom_field
      .id as number,
  /** A project has a limited number of connections: what earlier samples made goes first. */
  connection: async (world: World) => {
    for (const { id, name } of (await world.ok('connections/list', { limit: 200 })).items)
      if (name !== 'Sandbox') await world.ok('connections/delete', { connection_id: id })
    return (await world.ok('connections/create', { name: fresh('Connection'), provider: 'sandbox' })).connection
      .id as number
  },
  scheduled: async (world: World, seeded: Seed) => {
    const campaign_id = await made.campaign(world, seeded)
    await world.ok('campaigns/schedule', { campaign_id, scheduled_at: '2027-01-01T09:00:00Z', timezone: 'UTC' })
    return campaign_id
  },
  sending: async (world: World, seeded: Seed) => {
    const email = `${crypto.randomUUID()}@example.com`
    await world.ok('contacts/upsert', { email, list_ids: [seeded.list_id], consent_text: 'Yes' })
    const campaign_id = await made.campaign(world, seeded)
    await world.ok('campaigns/send', { campaign_id })
    await world.service.drain('jobs')
    return campaign_id
  },
  template: async (world: World) =>
    (await world.ok('templates/create', { name: fresh('Template'), editor_json: SAMPLE_DOCUMENT })).template
      .id as number,
  campaign: async (world: World, seeded: Seed): Promise<number> =>
    (await world.ok('campaigns/create', draft(seeded))).campaign.id,
}

const CSV = 'Email,First name\nada@example.com,Ada\n'
const IMPORT_MAPPING = { 0: 'email', 1: 'first_name' }

const imports = {
  /** Ends those of earlier samples: a project has a limit of unfinished imports. */
  endAll: (world: World) =>
    world.service.runtime.store.write((tx) => tx.script("UPDATE imports SET status = 'cancelled'")),
  staged: async (world: World) => {
    await imports.endAll(world)
    return (await world.ok('imports/create', { csv: CSV, filename: fresh('people') })).import.id as number
  },
  validated: async (world: World) => {
    const import_id = await imports.staged(world)
    await world.ok('imports/dry-run', { import_id, mapping: IMPORT_MAPPING, options: {} })
    return import_id
  },
}

const job = async (world: World, { tag_id, contact_id }: Seed) =>
  (await world.ok('contacts/bulk', { action: 'add_tags', contact_ids: [contact_id], tag_ids: [tag_id] })).job
    .id as number

export const samples: Record<string, (seed: Seed, world: World) => Body | Promise<Body>> = {
  '/schema/get': () => ({}),
  '/overview': () => ({}),
  '/contacts/list': ({ list_id }) => ({ search: 'seeded', list_id, list_status: 'subscribed', limit: 10 }),
  '/contacts/stats': ({ list_id }) => ({ status: 'subscribed', filter: rules(list_id) }),
  '/contacts/get': ({ contact_id }) => ({ contact_id }),
  '/contacts/export': () => ({ search: 'seeded', columns: ['id', 'email'] }),
  '/custom-fields/list': () => ({}),
  '/lists/list': () => ({ limit: 5 }),
  '/tags/list': () => ({ limit: 5 }),
  '/segments/list': () => ({ limit: 5 }),
  '/segments/get': async (seeded, world) => ({ segment_id: await made.segment(world, seeded) }),
  '/segments/preview': ({ list_id }) => ({ rules: rules(list_id) }),
  '/suppressions/list': () => ({ search: 'example' }),
  '/settings/get': () => ({}),
  '/connections/list': () => ({ limit: 5 }),
  '/templates/list': () => ({ limit: 5 }),
  '/templates/get': () => ({ template_id: 'builtin:welcome' }),
  '/render': () => ({ editor_json: SAMPLE_DOCUMENT, subject: 'Preview' }),
  '/campaigns/list': () => ({ search: 'tides', limit: 5 }),
  '/campaigns/get': ({ campaign_id }) => ({ campaign_id }),
  '/campaigns/audience-count': ({ list_id }) => ({ audience_spec: { include: [{ type: 'list', id: list_id }] } }),
  '/campaigns/readiness': ({ campaign_id }) => ({ campaign_id }),
  '/campaigns/stats': ({ campaign_id }) => ({ campaign_id }),
  '/campaigns/events': ({ campaign_id }) => ({ campaign_id, limit: 5 }),
  '/campaigns/recipients': ({ campaign_id }) => ({ campaign_id, limit: 5 }),
  '/imports/list': () => ({ limit: 5 }),
  '/imports/get': async (_, world) => ({ import_id: await imports.staged(world) }),
  '/jobs/list': () => ({ kinds: ['bulk', 'import'], statuses: ['failed'], limit: 5 }),
  '/jobs/get': async (seeded, world) => ({ job_id: await job(world, seeded) }),
  '/contacts/upsert': ({ list_id }) => ({
    email: address(),
    first_name: 'Ada',
    list_ids: [list_id],
    consent_text: 'Yes',
    custom_fields: {},
  }),
  '/contacts/update': async (_, world) => ({
    contact_id: await made.contact(world),
    first_name: 'Bo',
    custom_fields: {},
  }),
  '/contacts/delete': async (_, world) => ({ contact_id: await made.contact(world) }),
  '/contacts/unsubscribe': async (_, world) => ({ contact_id: await made.contact(world) }),
  '/contacts/reset-status': async (_, world) => {
    const contact_id = await made.contact(world)
    await world.ok('suppressions/add', { email: `person${used}@example.com`, reason: 'hard_bounce' })
    return { contact_id }
  },
  '/contacts/membership': async ({ list_id }, world) => ({
    contact_id: await made.contact(world),
    list_id,
    action: 'subscribe',
    consent_text: 'Yes',
  }),
  '/contacts/tags': async ({ tag_id }, world) => ({ contact_id: await made.contact(world), add: [tag_id], remove: [] }),
  '/contacts/bulk': ({ list_id }) => ({
    list_id,
    action: 'remove_from_list',
    filter: { op: 'and', rules: [{ field: 'email', operator: 'eq', value: 'nobody@example.com' }] },
  }),
  '/custom-fields/create': () => ({ key: `field_${++used}`, label: 'Town', type: 'text' }),
  '/custom-fields/update': async (_, world) => ({ field_id: await made.field(world), label: 'Village' }),
  '/custom-fields/delete': async (_, world) => ({ field_id: await made.field(world) }),
  '/lists/create': () => ({ name: fresh('New list'), double_opt_in: true }),
  '/lists/update': async (_, world) => ({ list_id: await made.list(world), description: 'Changed' }),
  '/tags/create': () => ({ name: fresh('New tag') }),
  '/tags/update': async (_, world) => ({ tag_id: await made.tag(world), color: '#aabbcc' }),
  '/tags/delete': async (_, world) => ({ tag_id: await made.tag(world) }),
  '/segments/create': ({ list_id }) => ({ name: fresh('New segment'), rules: rules(list_id) }),
  '/segments/update': async (seeded, world) => ({
    segment_id: await made.segment(world, seeded),
    rules: rules(seeded.list_id),
  }),
  '/segments/delete': async (seeded, world) => ({ segment_id: await made.segment(world, seeded) }),
  '/segments/materialize': async (seeded, world) => ({
    segment_id: await made.segment(world, seeded),
    tag_name: fresh('Members'),
  }),
  '/suppressions/add': () => ({ email: address(), reason: 'manual', note: 'Asked by phone' }),
  '/suppressions/remove': async (_, world) => {
    const email = address()
    await world.ok('suppressions/add', { email })
    return { email }
  },
  '/templates/create': () => ({ name: fresh('Template'), editor_json: SAMPLE_DOCUMENT, subject: 'Tides' }),
  '/templates/update': async (_, world) => ({ template_id: await made.template(world), subject: 'Changed' }),
  '/templates/delete': async (_, world) => ({ template_id: await made.template(world) }),
  '/campaigns/create': (seeded) => draft(seeded),
  '/campaigns/update': async (seeded, world) => ({
    campaign_id: await made.campaign(world, seeded),
    subject: 'Changed',
    audience_spec: { include: [{ type: 'all' }] },
  }),
  '/campaigns/duplicate': ({ campaign_id }) => ({ campaign_id }),
  '/campaigns/delete': async (seeded, world) => ({ campaign_id: await made.campaign(world, seeded) }),
  '/campaigns/unschedule': async (seeded, world) => ({ campaign_id: await made.scheduled(world, seeded) }),
  '/campaigns/pause': async (seeded, world) => ({ campaign_id: await made.sending(world, seeded) }),
  '/campaigns/cancel': async (seeded, world) => ({ campaign_id: await made.scheduled(world, seeded) }),
  '/imports/create': async (_, world) => {
    await imports.endAll(world)
    return { csv: CSV, filename: fresh('people') }
  },
  '/imports/dry-run': async (_, world) => ({
    import_id: await imports.staged(world),
    mapping: IMPORT_MAPPING,
    options: { on_invalid: 'skip' },
  }),
  '/imports/commit': async (_, world) => ({ import_id: await imports.validated(world) }),
  '/imports/cancel': async (_, world) => ({ import_id: await imports.staged(world) }),
  '/campaigns/send': async (seeded, world) => ({ campaign_id: await made.campaign(world, seeded) }),
  '/campaigns/schedule': async (seeded, world) => ({
    campaign_id: await made.campaign(world, seeded),
    scheduled_at: '2027-01-01T09:00+01:00',
    timezone: 'Europe/Berlin',
  }),
  '/campaigns/resume': async (seeded, world) => {
    const campaign_id = await made.sending(world, seeded)
    await world.ok('campaigns/pause', { campaign_id })
    return { campaign_id }
  },
  '/campaigns/requeue-failed': async (seeded, world) => {
    const campaign_id = await made.sending(world, seeded)
    await world.ok('campaigns/pause', { campaign_id })
    return { campaign_id, include_uncertain: true }
  },
  '/campaigns/test-send': async (seeded, world) => ({
    campaign_id: await made.campaign(world, seeded),
    emails: ['me@example.com'],
  }),
  '/jobs/requeue': async (seeded, world) => {
    const job_id = await job(world, seeded)
    await world.service.runtime.store.write((tx) =>
      tx.update(jobs).set({ status: 'failed' }).where(eq(jobs.id, job_id)),
    )
    return { job_id }
  },
  '/lists/delete': async (_, world) => ({ list_id: await made.list(world) }),
  '/settings/update': () => ({ footer_text: fresh('Footer') }),
  '/connections/create': () => ({
    name: fresh('New connection'),
    provider: 'smtp',
    host: 'relay.example.com',
    port: 587,
    secure: 'starttls',
    username: 'u',
    password: 'p',
  }),
  '/connections/update': async (_, world) => ({ connection_id: await made.connection(world), name: fresh('Renamed') }),
  '/connections/delete': async (_, world) => ({ connection_id: await made.connection(world) }),
  '/connections/test': async (_, world) => ({ connection_id: await made.connection(world) }),
  '/connections/verify-dns': ({ connection_id }) => ({ connection_id }),
  '/connections/webhook-urls': ({ connection_id }) => ({ connection_id }),
}
