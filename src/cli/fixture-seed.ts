import { createUser, type User } from '../accounts/users.ts'
import { NEWSLETTER_ROOT } from '../http/operations.ts'
import { MAILBOX_PATH, PORTAL_PATH } from '../http/paths.ts'
import { newId } from '../ids.ts'
import { createApiKey } from '../projects/api-keys.ts'
import { addMember } from '../projects/members.ts'
import { createProject } from '../projects/projects.ts'
import { newToken, tokenHash } from '../secrets.ts'
import type { Tx } from '../store/open.ts'
import type { Runtime } from '../store/runtime.ts'
import type { Role } from '../store/tables/accounts.ts'
import { access_tokens, apps, authorization_projects, authorizations } from '../store/tables/apps.ts'
import { lists } from '../store/tables/audience.ts'
import { connections, newsletter_settings } from '../store/tables/delivery.ts'

const NEWSLETTER_SCOPES = ['newsletter:read', 'newsletter:write', 'newsletter:send', 'newsletter:admin'] as const
const OTHER_SCOPES = ['cms:post:read', 'directory:items:read', 'scripts:read', 'scripts:embed', 'scripts:delete'] as const
const EVERY_SCOPE = [...NEWSLETTER_SCOPES, ...OTHER_SCOPES]

const PEOPLE = {
  owner: { first_name: 'Olive', last_name: 'Marsh' },
  admin: { first_name: 'Adam', last_name: 'Reed' },
  editor: { first_name: 'Edith', last_name: 'Lane' },
  member: { first_name: 'Milo', last_name: 'Ford' },
  developer: { first_name: 'Dora', last_name: 'Kent' },
  reviewer: { first_name: 'Rosa', last_name: 'Webb', admin: true },
  outsider: { first_name: 'Otto', last_name: 'Hill' },
} as const
type Person = keyof typeof PEOPLE

/** The members of project main, and as what. */
const MEMBERS = { owner: 'owner', admin: 'administrator', editor: 'editor', member: 'member' } as const satisfies Partial<Record<Person, Role>>

/** Fills an empty database with the people and things of contract section 2, and answers the fixture's JSON. */
export async function seed(runtime: Runtime): Promise<unknown> {
  const now = runtime.clock.now()
  const people = await createPeople(runtime, now)
  const id = (person: Person) => people[person].user.id
  const { base_url } = runtime

  const rest = await runtime.store.write(async (tx) => {
    const main = await seedMain(tx, people, now)
    const second = await seedSecond(tx, people, now)
    const app = await seedApp(tx, 'Weather Widgets', id('developer'), now)
    const other = await seedApp(tx, 'Opening Hours', id('developer'), now)
    const token = (user: Person, project: { id: string }, scopes: readonly string[] = EVERY_SCOPE, client: { id: string } = app) =>
      grant(tx, { app_id: client.id, user_id: id(user), project_id: project.id, scopes, ttl_ms: runtime.config.access_token_ttl_seconds * 1000 }, now)
    return {
      projects: { main, second },
      app,
      other_app: other,
      access_token: await token('owner', main),
      access_tokens: {
        read_only: await token('owner', main, ['newsletter:read']),
        no_newsletter: await token('owner', main, OTHER_SCOPES),
        editor: await token('editor', main),
        member: await token('member', main),
        second: await token('owner', second),
        other_app: await token('owner', main, EVERY_SCOPE, other),
      },
    }
  })
  return {
    base_url,
    api_root: base_url + NEWSLETTER_ROOT.slice(0, NEWSLETTER_ROOT.lastIndexOf('/')),
    newsletter_root: base_url + NEWSLETTER_ROOT,
    portal_url: base_url + PORTAL_PATH,
    mailbox_url: base_url + MAILBOX_PATH,
    users: Object.fromEntries(Object.entries(people).map(([person, { user, password }]) => [person, { id: user.id, email: user.email, password }])),
    ...rest,
  }
}

type People = Record<Person, { user: User; password: string }>

async function createPeople(runtime: Runtime, now: number): Promise<People> {
  const created = await Promise.all(Object.entries(PEOPLE).map(async ([person, fields]) => {
    const password = `${person}-${newToken('svc_ss_').slice(-12)}`
    const user = await createUser(runtime.store, { ...fields, email: `${person}@masthead.example`, password }, now)
    return [person, { user, password }] as const
  }))
  return Object.fromEntries(created) as People
}

async function seedMain(tx: Tx, people: People, now: number) {
  const project = await createProject(tx, { name: 'Harbour News', slug: 'harbour-news', domain: 'harbour-news.example' }, people.owner.user.id, now)
  const api_keys: Record<string, string> = {}
  for (const [person, role] of Object.entries(MEMBERS) as [keyof typeof MEMBERS, Role][]) {
    const user_id = people[person].user.id
    if (person !== 'owner') await addMember(tx, project.id, user_id, role, now)
    api_keys[person] = (await createApiKey(tx, project.id, user_id, `Fixture, ${person}`, now)).key
  }
  const [connection] = await tx.insert(connections)
    .values({ project_id: project.id, name: 'Sandbox mailbox', name_key: 'sandbox mailbox', provider: 'sandbox', secure: 'none', verified_at: now, created_at: now, updated_at: now })
    .returning({ id: connections.id })
  await tx.insert(newsletter_settings).values({
    project_id: project.id, from_name: 'Harbour News', from_email: 'news@harbour-news.example', reply_to: 'editors@harbour-news.example',
    company_name: 'Harbour News Ltd', postal_address: '1 Quay Street, Port Harbour', default_connection_id: connection!.id, updated_at: now,
  })
  const list_id = await seedList(tx, project.id, 'Weekly letter', false, now)
  const double_opt_in_list_id = await seedList(tx, project.id, 'Breaking news', true, now)
  return { id: project.id, slug: project.slug, domain: project.domain, api_keys, list_id, double_opt_in_list_id, connection_id: connection!.id }
}

async function seedSecond(tx: Tx, people: People, now: number) {
  const owner_id = people.owner.user.id
  const project = await createProject(tx, { name: 'Mountain Post', slug: 'mountain-post' }, owner_id, now)
  const { key } = await createApiKey(tx, project.id, owner_id, 'Fixture, owner', now)
  return { id: project.id, slug: project.slug, api_keys: { owner: key }, list_id: await seedList(tx, project.id, 'Trail report', false, now) }
}

async function seedList(tx: Tx, project_id: string, name: string, double_opt_in: boolean, now: number): Promise<number> {
  const [list] = await tx.insert(lists)
    .values({ project_id, name, name_key: name.toLowerCase(), double_opt_in, public: true, created_at: now, updated_at: now })
    .returning({ id: lists.id })
  return list!.id
}

async function seedApp(tx: Tx, display_name: string, user_id: string, now: number) {
  const app = { id: newId('app'), client_id: newId('cli') }
  const redirect_uri = `https://${display_name.toLowerCase().replace(' ', '-')}.example/callback`
  await tx.insert(apps).values({
    ...app, client_type: 'confidential', display_name, description: `${display_name} for websites.`, homepage: new URL(redirect_uri).origin,
    redirect_uris: [redirect_uri], scopes: EVERY_SCOPE, status: 'approved', user_id, created_at: now, updated_at: now,
  })
  return { ...app, redirect_uri }
}

interface Grant {
  app_id: string
  user_id: string
  project_id: string
  scopes: readonly string[]
  ttl_ms: number
}

/** An authorization as the consent page would have made it, with one access token. */
async function grant(tx: Tx, { app_id, user_id, project_id, scopes, ttl_ms }: Grant, now: number): Promise<string> {
  const token = newToken('svc_at_')
  const authorization_id = newId('aut')
  const scope = scopes.join(' ')
  await tx.insert(authorizations).values({ id: authorization_id, app_id, user_id, grant_type: 'authorization_code', scope, created_at: now })
  await tx.insert(authorization_projects).values({ authorization_id, project_id })
  await tx.insert(access_tokens).values({ token_hash: tokenHash(token), authorization_id, scope, created_at: now, expires_at: now + ttl_ms })
  return token
}
