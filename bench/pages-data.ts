import { eq } from 'drizzle-orm'
import { countDeliveries } from '../src/newsletter/outbox/delivery-days.ts'
import { users } from '../src/store/tables/accounts.ts'
import type { AppPage } from '../src/shared/app-pages.ts'
import { PLACES } from '../static/app/pages.ts'
import type { SiteWorld } from '../test/http/site-world.ts'
import { fillHarbour } from '../test/support/people.ts'
import { png } from '../test/support/pictures.ts'

/** A service in which every page of the web application has something to show. */

/** The address of a page with parameters, by its pattern; `style` codes and such need none. */
export type Addresses = Record<string, string>

/** A page at an address of its own. */
export interface Stop {
  place: (typeof PLACES)[number]['name']
  /** What the addresses of the place begin with. */
  root: string
  page: AppPage
  path: string
  /** Another page of the place. */
  before: string
}

/**
 * Every page with a known address, or those whose place and path hold one of the words.
 * @param known the addresses of pages with parameters
 */
export function stops(world: SiteWorld, known: Addresses, words: readonly string[]): Stop[] {
  return PLACES.flatMap(({ name: place, root, pages }) =>
    pages.flatMap((page) => {
      const path = page.path.includes(':') ? known[page.path] : page.path
      if (path === undefined || (words.length > 0 && !words.some((word) => `${place}${path}`.includes(word)))) return []
      const before = pages.find((other) => !other.path.includes(':') && other.title !== page.title)!.path
      return [{ place, root: root.replace(':project', world.project.slug), page, path, before }]
    }),
  )
}

export async function fillPages(world: SiteWorld, people = 60): Promise<Addresses> {
  await world.service.runtime.store.write((tx) =>
    tx.update(users).set({ admin: true }).where(eq(users.id, world.users.owner)),
  )
  return { ...(await fillNewsletter(world, people)), ...(await fillSite(world)), ...(await fillApps(world)) }
}

/** Calls a session route as the owner, for what must succeed. */
// oxlint-disable-next-line typescript/no-explicit-any -- the answer of any route
async function call(world: SiteWorld, method: string, path: string, body?: BodyInit | object): Promise<any> {
  const isJson = body !== undefined && !Buffer.isBuffer(body)
  const answer = await world.fetch(path, {
    method,
    headers: {
      Cookie: await world.cookie('owner'),
      Origin: world.url,
      ...(isJson && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as BodyInit) }),
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
  return JSON.parse(text)
}

const inProject = (world: SiteWorld, path: string, body: object = {}) =>
  call(world, 'POST', path, { project_id: world.project.public_id, ...body })

async function fillNewsletter(world: SiteWorld, people: number): Promise<Addresses> {
  const { offers, weekly, customer } = await fillHarbour(world, people)
  await world.ok('settings/update', {
    from_name: 'Harbour News',
    from_email: 'news@harbour.example',
    reply_to: 'hello@harbour.example',
    postal_address: 'Quay 4, 5003 Bergen, Norway',
    company_name: 'Harbour News',
    timezone: 'Europe/Oslo',
  })
  const sandbox = await world.ok('connections/create', { name: 'Sandbox', provider: 'sandbox' })
  const relay = { name: 'Our relay', provider: 'smtp', host: '127.0.0.1', port: 2526, secure: 'none' }
  const { connection } = await world.ok('connections/create', { ...relay, from_domain: 'harbour.example' })
  await world.ok('settings/update', { default_connection_id: sandbox.connection.id })
  const letter = async (name: string, subject: string, template_id = 'builtin:product-update') => {
    const audience_spec = { include: [{ type: 'list', id: offers }], exclude: [] }
    return (await world.ok('campaigns/create', { name, subject, audience_spec, template_id })).campaign.id as number
  }
  // The letter of the design leads to them.
  for (const path of ['/calendars', '/changelog'])
    await inProject(world, '/project/pages/create', { path, title: path, html: '<h1>Soon</h1>', published: true })
  const draft = await letter('May letter', 'Plan together: shared calendars are here')
  const sent = await letter('April letter', 'Tides, boats and a new ferry')
  await world.ok('campaigns/send', { campaign_id: sent })
  await world.settle()
  await countDeliveries(world.service.runtime)
  const invitation = await letter('Summer invitation', 'You are invited to the harbour festival')
  await world.ok('campaigns/schedule', {
    campaign_id: invitation,
    scheduled_at: new Date(world.clock.now() + 3 * 86_400_000).toISOString(),
    timezone: 'Europe/Oslo',
  })
  const { editor_json } = (await world.ok('campaigns/get', { campaign_id: draft })).campaign
  const { template } = await world.ok('templates/create', { name: 'Our letter', editor_json })
  const rules = { op: 'and', rules: [{ field: 'tag', operator: 'in', value: [customer] }] }
  const { segment } = await world.ok('segments/create', { name: 'Customers in Norway', rules })
  await world.ok('suppressions/add', { email: 'angry@example.com', reason: 'complaint' })
  const csv = 'email,first_name\nnora@example.com,Nora\nbroken,Per\nsiv@example.com,Siv\n'
  const { id: import_id } = (await world.ok('imports/create', { filename: 'fair.csv', csv })).import
  const options = { list_ids: [offers], consent_confirmed: true, consent_text: 'On paper at the fair.' }
  await world.ok('imports/dry-run', { import_id, mapping: { 0: 'email', 1: 'first_name' }, options })
  await world.ok('imports/commit', { import_id })
  await world.settle()
  await inProject(world, '/project/sign-up-forms/create', {
    name: 'Footer',
    title: 'The weekly letter',
    consent_text: 'Yes, send me the letter. I can leave at any time.',
    list_ids: [weekly],
  })
  const { items } = await world.ok('contacts/list', { limit: 1 })
  const { messages } = await inProject(world, '/project/mailbox/list')
  return {
    '/campaigns/:id': `/campaigns/${sent}`,
    '/campaigns/:id/review': `/campaigns/${draft}/review`,
    '/campaigns/:id/edit': `/campaigns/${draft}/edit`,
    '/templates/:id': `/templates/${template.id}`,
    '/contacts/:id': `/contacts/${items[0].id}`,
    '/segments/:id': `/segments/${segment.id}`,
    '/lists/:id/form': `/lists/${weekly}/form`,
    '/sending/:id': `/sending/${connection.id}`,
    '/imports/:id': `/imports/${import_id}`,
    '/mailbox/:id': `/mailbox/${messages[0].id}`,
  }
}

async function fillSite(world: SiteWorld): Promise<Addresses> {
  const project = `project_id=${world.project.public_id}`
  const quay = { path: '/quay', title: 'The quay', html: '<h1>High water</h1>', published: true }
  const { page } = await inProject(world, '/project/pages/create', quay)
  await inProject(world, '/project/pages/create', { path: '/', title: 'Start', html: '<h1>Harbour</h1>' })
  const tides = { title: 'Why the ferry is late', status: 'published', content: 'The wind.', tags: ['Town', 'Ferry'] }
  await inProject(world, '/project/cms/posts/create', tides)
  const gulls = { title: 'Gulls of the quay', tags: ['Nature', 'Sea'], published_at: '2090-03-26T09:00' }
  const { post } = await inProject(world, '/project/cms/posts/create', gulls)
  for (const title of ['Bakery', 'Chandler', 'Net maker'])
    await inProject(world, '/project/directory/items/create', { directory: 'Shops', title })
  await call(world, 'POST', `/project/files/upload?${project}&name=Quay.png&alt=The%20quay`, png(600, 300))
  await call(
    world,
    'POST',
    `/project/site-files/upload?${project}&path=/css/site.css`,
    Buffer.from('h1 { color: teal }'),
  )
  for (const name of ['Ann', 'Bo', 'Liv'])
    await call(world, 'POST', '/general/project/form/entry', {
      project_id: world.project.public_id,
      form: 'contact',
      fields: { name, message: 'When does the ferry leave on Sundays?' },
    })
  await inProject(world, '/project/invitations/create', { email: 'new@example.com', role: 'editor' })
  return {
    '/pages/:id': `/pages/${page.id}`,
    '/posts/:id': `/posts/${post.id}`,
    '/directory/:name': '/directory/Shops',
    '/forms/:name': '/forms/contact',
  }
}

async function fillApps(world: SiteWorld): Promise<Addresses> {
  const { app } = await call(world, 'POST', '/user/developer/apps', {
    displayName: 'Tide Tables',
    description: 'Tides of every harbour.',
    homepage: 'https://tides.example',
    redirect_uris: ['https://tides.example/callback'],
    scopes: ['newsletter:read', 'scripts:embed'],
    client_type: 'confidential',
    scope_reasons: { 'newsletter:read': 'To show your readers the tides.' },
  })
  const root = `/user/developer/apps/${app.id}`
  const { script } = await call(world, 'POST', `${root}/scripts`, {
    name: 'Tide widget',
    type: 'Functional',
    placement: 'HTML Body end',
    code: '<p>High water in {{town}}</p>\n<script>\n  console.log("tide")\n</script>\n',
    parameters: { town: 'Bergen' },
  })
  await call(world, 'POST', `${root}/images`, png(512, 512))
  await call(world, 'PUT', `${root}/listing`, { tagline: 'High water at a glance', category: 'tools', screenshots: [] })
  await call(world, 'POST', `${root}/team/invitations`, { email: 'colleague@example.com' })
  const { version } = await call(world, 'POST', `${root}/versions`, { notes: 'First version' })
  const asked = { app_id: app.id, version_id: version.id }
  const { review_request } = await call(world, 'POST', '/user/review-requests', asked)
  const of = (rest: string) => `/apps/${app.id}${rest}`
  return {
    '/apps/:id': of(''),
    '/apps/:id/permissions': of('/permissions'),
    '/apps/:id/credentials': of('/credentials'),
    '/apps/:id/scripts': of('/scripts'),
    '/apps/:id/scripts/:scriptId': of(`/scripts/${script.id}`),
    '/apps/:id/listing': of('/listing'),
    '/apps/:id/versions': of('/versions'),
    '/apps/:id/versions/:versionId': of(`/versions/${version.id}`),
    '/apps/:id/requests': of('/requests'),
    '/apps/:id/team': of('/team'),
    '/reviews/:id': `/reviews/${review_request.id}`,
  }
}
