import type { ProjectId } from '../ids.ts'
import { createUser, type User } from '../accounts/users.ts'
import { NEWSLETTER_ROOT } from '../http/api/operations.ts'
import { MAILBOX_PATH, PORTAL_PATH } from '../http/core/paths.ts'
import { createApiKey } from '../projects/api-keys.ts'
import { addMember } from '../projects/members.ts'
import { createProject } from '../projects/projects.ts'
import { newToken } from '../secrets.ts'
import { type Document, readDocument } from '../sites/pages.ts'
import { one } from '../store/rows.ts'
import type { Tx } from '../store/open.ts'
import type { Runtime } from '../runtime.ts'
import type { Role } from '../shared/roles.ts'
import { lists } from '../store/tables/audience.ts'
import { connections, newsletter_settings } from '../store/tables/delivery.ts'
import { EVERY_SCOPE, grant, seedApp } from './fixture-apps.ts'
import { HOME, seedSite } from './fixture-site.ts'

const PROJECT_SCOPES = EVERY_SCOPE.filter((scope) => scope !== 'profile')
const OTHER_SCOPES = PROJECT_SCOPES.filter((scope) => !scope.startsWith('newsletter:'))

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

/** The members of project main and their roles. */
const MEMBERS = {
  owner: 'owner',
  admin: 'administrator',
  editor: 'editor',
  member: 'member',
} as const satisfies Partial<Record<Person, Role>>

/**
 * Fills an empty database with people, two projects, two apps and tokens. Returns the JSON that `masthead fixture`
 * prints: everything that an integration test needs.
 */
export async function seed(runtime: Runtime): Promise<unknown> {
  const now = runtime.clock.now()
  const people = await createPeople(runtime, now)
  const id = (person: Person) => people[person].user.id
  const { base_url } = runtime

  const home = await readDocument(HOME)
  const rest = await runtime.store.write(async (tx) => {
    const main = await seedMain(tx, people, home, now)
    const second = await seedSecond(tx, people, now)
    const makers = { developer: id('developer'), reviewer: id('reviewer') }
    const app = await seedApp(tx, 'Weather Widgets', makers, now)
    const other = await seedApp(tx, 'Opening Hours', makers, now)
    const granted = (
      user: Person,
      project: { key: ProjectId },
      scopes: readonly string[] = PROJECT_SCOPES,
      client: { id: string } = app,
    ) =>
      grant(
        tx,
        {
          app_id: client.id,
          user_id: id(user),
          project_id: project.key,
          scopes,
          ttl_seconds: runtime.config.access_token_ttl_seconds,
        },
        now,
      )
    const token = async (...of: Parameters<typeof granted>) => (await granted(...of)).access_token
    const { access_token, refresh_token } = await granted('owner', main)
    return {
      projects: {
        main: { ...main.shown, page_url: `${base_url}/sites/${MAIN.slug}/` },
        second: second.shown,
      },
      app,
      other_app: other,
      access_token,
      refresh_token,
      access_tokens: {
        read_only: await token('owner', main, ['newsletter:read']),
        no_newsletter: await token('owner', main, OTHER_SCOPES),
        editor: await token('editor', main),
        member: await token('member', main),
        second: await token('owner', second),
        other_app: await token('owner', main, PROJECT_SCOPES, other),
      },
    }
  })
  return {
    base_url,
    api_root: base_url + NEWSLETTER_ROOT.slice(0, NEWSLETTER_ROOT.lastIndexOf('/')),
    newsletter_root: base_url + NEWSLETTER_ROOT,
    portal_url: base_url + PORTAL_PATH,
    mailbox_url: base_url + MAILBOX_PATH,
    users: Object.fromEntries(
      Object.entries(people).map(([person, { user, password }]) => [
        person,
        { id: user.id, email: user.email, password },
      ]),
    ),
    ...rest,
  }
}

type People = Record<Person, { user: User; password: string }>

async function createPeople(runtime: Runtime, now: number): Promise<People> {
  const created = await Promise.all(
    Object.entries(PEOPLE).map(async ([person, fields]) => {
      const password = `${person}-${newToken('svc_ss_').slice(-12)}`
      const user = await createUser(
        runtime.store,
        { admin: false, ...fields, email: `${person}@masthead.example`, password },
        now,
      )
      return [person, { user, password }] as const
    }),
  )
  return Object.fromEntries(created) as People
}

const MAIN = { name: 'Harbour News', slug: 'harbour-news', domain: 'harbour-news.example', is_proven: true }

async function seedMain(tx: Tx, people: People, home: Document, now: number) {
  const project = await createProject(tx, MAIN, people.owner.user.id, now)
  const api_keys: Record<string, string> = {}
  for (const [person, role] of Object.entries(MEMBERS) as [keyof typeof MEMBERS, Role][]) {
    const user_id = people[person].user.id
    if (person !== 'owner') await addMember(tx, project.id, { user_id, role }, now)
    api_keys[person] = (await createApiKey(tx, project.id, { user_id, name: `Fixture, ${person}` }, now)).key
  }
  const connection = one(
    await tx
      .insert(connections)
      .values({
        project_id: project.id,
        name: 'Sandbox mailbox',
        name_key: 'sandbox mailbox',
        provider: 'sandbox',
        secure: 'none',
        verified_at: now,
        created_at: now,
        updated_at: now,
      })
      .returning({ id: connections.id }),
  )
  await tx.insert(newsletter_settings).values({
    project_id: project.id,
    from_name: 'Harbour News',
    from_email: 'news@harbour-news.example',
    reply_to: 'editors@harbour-news.example',
    company_name: 'Harbour News Ltd',
    postal_address: '1 Quay Street, Port Harbour',
    default_connection_id: connection.id,
    updated_at: now,
  })
  const list_id = await seedList(tx, project.id, { name: 'Weekly letter', double_opt_in: false }, now)
  const double_opt_in_list_id = await seedList(tx, project.id, { name: 'Breaking news', double_opt_in: true }, now)
  await seedSite(tx, project.id, home, now)
  const shown = {
    id: project.public_id,
    slug: project.slug,
    domain: project.domain,
    api_keys,
    list_id,
    double_opt_in_list_id,
    connection_id: connection.id,
  }
  return { key: project.id, shown }
}

async function seedSecond(tx: Tx, people: People, now: number) {
  const owner_id = people.owner.user.id
  const project = await createProject(tx, { name: 'Mountain Post', slug: 'mountain-post' }, owner_id, now)
  const { key } = await createApiKey(tx, project.id, { user_id: owner_id, name: 'Fixture, owner' }, now)
  const list_id = await seedList(tx, project.id, { name: 'Trail report', double_opt_in: false }, now)
  return { key: project.id, shown: { id: project.public_id, slug: project.slug, api_keys: { owner: key }, list_id } }
}

async function seedList(
  tx: Tx,
  project_id: ProjectId,
  { name, double_opt_in }: { name: string; double_opt_in: boolean },
  now: number,
): Promise<number> {
  const list = one(
    await tx
      .insert(lists)
      .values({
        project_id,
        name,
        name_key: name.toLowerCase(),
        double_opt_in,
        public: true,
        created_at: now,
        updated_at: now,
      })
      .returning({ id: lists.id }),
  )
  return list.id
}
