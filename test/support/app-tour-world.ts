import { and, eq } from 'drizzle-orm'
import { type Addresses, fillPages } from '../../bench/pages-data.ts'
import { countDeliveries } from '../../src/newsletter/outbox/delivery-days.ts'
import { post } from '../http/signed-in.ts'
import { flushRequests } from '../../src/developer/request-log.ts'
import { api_keys, members } from '../../src/store/tables/accounts.ts'
import { authorizations } from '../../src/store/tables/apps.ts'
import type { SiteWorld } from '../http/site-world.ts'
import { messagesTo } from './mailbox.ts'
import { START } from './world.ts'

const ROLES = ['owner', 'administrator', 'editor', 'member'] as const

/** A service in which every page has something to show, the same in each run. */
export async function fillTour(world: SiteWorld): Promise<Addresses> {
  const { store } = world.service.runtime
  // What came at the same time stands in the order of its random ids.
  await store.write(async (tx) => {
    for (const [at, role] of ROLES.entries()) {
      const came = START + at * 60_000
      const isOf = (table: typeof members | typeof api_keys) =>
        and(eq(table.project_id, world.project.id), eq(table.user_id, world.users[role]))
      await tx.update(members).set({ added_at: came }).where(isOf(members))
      await tx
        .update(api_keys)
        .set({ created_at: came, name: `of the ${role}`, hint: `k-${at}e` })
        .where(isOf(api_keys))
    }
    await tx.update(api_keys).set({ hint: 'else' }).where(eq(api_keys.project_id, world.other.id))
  })
  const addresses = await fillPages(world, 12)
  await readLetters(world)
  await fillStates(world)
  await fillApps(world)
  await countDeliveries(world.service.runtime)
  await flushRequests(store)
  return addresses
}

/** Of twelve who got the letter some open it, follow its links, and leave. */
async function readLetters(world: SiteWorld): Promise<void> {
  const { origin } = new URL(world.url)
  for (let reader = 0; reader < 6; reader++) {
    const [message] = await messagesTo(world, `person00${reader}@example.com`)
    const urls = [...message!.html.matchAll(/(?:href|src)="(http[^"]+)"/g)].map(([, url]) =>
      url!.replaceAll('&amp;', '&'),
    )
    const own = urls.map((url) => new URL(url)).filter((url) => url.origin === origin)
    world.clock.advance(1_800_000)
    const headers = { 'User-Agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/17.1 Safari/605.1.15' }
    const visit = ({ pathname, search }: URL) => world.fetch(pathname + search, { headers })
    for (const url of own.filter(({ pathname }) => pathname.includes('/open/'))) await visit(url)
    for (const url of own.filter(({ pathname }) => pathname.includes('/click/')).slice(0, reader)) await visit(url)
    if (reader !== 5) continue
    const leave = /<([^>]+)>/.exec(message!.headers['list-unsubscribe']!)![1]!
    const { pathname, search } = new URL(leave)
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    await world.fetch(pathname + search, { method: 'POST', headers: form, body: 'List-Unsubscribe=One-Click' })
  }
  await world.settle()
}

/** Things in the states that a page can show. */
async function fillStates(world: SiteWorld): Promise<void> {
  const { items } = await world.ok('contacts/list', { limit: 50 })
  const ids = items.map(({ id }: { id: number }) => id)
  world.clock.advance(86_400_000)
  // The sessions of yesterday are over.
  world.forgetCookies()
  await world.ok('contacts/unsubscribe', { contact_id: ids[7] })
  await world.ok('contacts/delete', { contact_id: ids[8] })
  await world.ok('contacts/update', { contact_id: ids[9], first_name: '', last_name: '' })
  await world.ok('contacts/upsert', { email: 'waits@example.com', list_ids: [1], consent_text: 'Yes, weekly.' })
  await world.ok('suppressions/add', { email: 'gone@example.com', reason: 'hard_bounce', note: 'No such mailbox.' })
  await world.ok('suppressions/add', { email: 'never@example.com', note: 'Asked by telephone.' })
  const { list } = await world.ok('lists/create', { name: 'Old letters', description: 'Until 2024.' })
  await world.ok('lists/update', { list_id: list.id, archived: true })
  await world.ok('tags/create', { name: 'volunteer', color: '#7a1d6b' })
  await world.ok('custom-fields/create', { key: 'vip', label: 'VIP', type: 'boolean' })
  await world.ok('custom-fields/create', { key: 'born', label: 'Born', type: 'date' })
  const rules = { op: 'or', rules: [{ field: 'email', operator: 'contains', value: 'person01' }] }
  await world.ok('segments/create', { name: 'The last two', rules })
  await world.ok('contacts/bulk', { action: 'add_tags', contact_ids: ids.slice(0, 3), tag_ids: [2] })
  await world.settle()
  const { import: waiting } = await world.ok('imports/create', {
    filename: 'quay.csv',
    csv: 'email\nkai@example.com\n',
  })
  await world.ok('imports/create', { filename: 'pier.csv', csv: 'email\npia@example.com\n' })
  await world.ok('imports/cancel', { import_id: waiting.id })
  const { campaign } = await world.ok('campaigns/create', {
    name: 'Autumn letter',
    subject: 'Storms ahead',
    template_id: 'builtin:letter',
    audience_spec: {
      include: [
        { type: 'list', id: 1 },
        { type: 'segment', id: 1 },
      ],
      exclude: [{ type: 'list', id: 2 }],
    },
  })
  await world.ok('campaigns/duplicate', { campaign_id: campaign.id })
  await world.ok('campaigns/test-send', { campaign_id: campaign.id, emails: ['owner@example.com'] })
  await world.settle()
}

/** An approved app of somebody else, which put a script on the pages and called the API. */
async function fillApps(world: SiteWorld): Promise<void> {
  // oxlint-disable-next-line typescript/no-explicit-any -- the answer of any route
  const asked = async (role: 'owner' | 'outsider', path: string, body: object = {}): Promise<any> => {
    const answer = await post(world, path, body, { Cookie: await world.cookie(role), Origin: world.url })
    if (answer.status !== 200) throw new Error(`${path}: ${await answer.text()}`)
    return answer.json()
  }
  const app = `/user/developer/apps/${world.app_id}`
  const wave = { name: 'Waves', type: 'Analytics', placement: 'HTML Head', code: '<i>{{height}}</i>' }
  const { script } = await asked('outsider', `${app}/scripts`, { ...wave, parameters: { height: '3' } })
  const { version } = await asked('outsider', `${app}/versions`, { notes: 'The first.' })
  const asks = { app_id: world.app_id, version_id: version.id }
  const { review_request } = await asked('outsider', '/user/review-requests', asks)
  await asked('owner', `/user/review-requests/${review_request.id}/approve`)
  const token = `Bearer ${await world.token('owner')}`
  const project_id = world.project.public_id
  const embed = { scriptId: script.id, project_id }
  await post(world, '/general/api/v1/scripts/embed', embed, { Authorization: token })
  await world.call('contacts/list', { project_id, limit: 1 }, { as: token.slice(7) })
  await world.call('contacts/get', { project_id, contact_id: 999 }, { as: token.slice(7) })
  world.clock.advance(60_000)
  await world.service.runtime.store.write((tx) => tx.update(authorizations).set({ last_used_at: world.clock.now() }))
}
