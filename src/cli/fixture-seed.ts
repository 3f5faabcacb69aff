import type { ProjectId } from '../ids.ts'
import { createUser, type User } from '../accounts/users.ts'
import { createApp } from '../developer/apps.ts'
import { decide, requestReview } from '../developer/reviews.ts'
import { createScript } from '../developer/scripts.ts'
import { createVersion } from '../developer/versions.ts'
import { NEWSLETTER_ROOT } from '../http/api/operations.ts'
import { MAILBOX_PATH, PORTAL_PATH } from '../http/core/paths.ts'
import { startAuthorization } from '../oauth/authorizations.ts'
import { SCOPES } from '../oauth/scopes.ts'
import { issueTokens, type TokenAnswer } from '../oauth/tokens.ts'
import { createApiKey } from '../projects/api-keys.ts'
import { addMember } from '../projects/members.ts'
import { createProject } from '../projects/projects.ts'
import { newToken } from '../secrets.ts'
import { createItem } from '../sites/directory.ts'
import { createPage, type Document, readDocument } from '../sites/pages.ts'
import { createPost, updatePost } from '../sites/posts.ts'
import type { Tx } from '../store/open.ts'
import type { Runtime } from '../runtime.ts'
import type { Role } from '../store/tables/accounts.ts'
import { lists } from '../store/tables/audience.ts'
import { connections, newsletter_settings } from '../store/tables/delivery.ts'

const EVERY_SCOPE = Object.keys(SCOPES)
const OTHER_SCOPES = EVERY_SCOPE.filter((scope) => !scope.startsWith('newsletter:'))

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
const MEMBERS = {
  owner: 'owner',
  admin: 'administrator',
  editor: 'editor',
  member: 'member',
} as const satisfies Partial<Record<Person, Role>>

/** Fills an empty database with the people and things of contract section 2, and answers the fixture's JSON. */
export async function seed(runtime: Runtime): Promise<unknown> {
  const now = runtime.clock.now()
  const people = await createPeople(runtime, now)
  const id = (person: Person) => people[person].user.id
  const { base_url } = runtime

  const home = await readDocument(HOME)
  const rest = await runtime.store.write(async (tx) => {
    const main = await seedMain(tx, people, home, base_url, now)
    const second = await seedSecond(tx, people, now)
    const app = await seedApp(tx, 'Weather Widgets', people, now)
    const other = await seedApp(tx, 'Opening Hours', people, now)
    const granted = (
      user: Person,
      project: { key: ProjectId },
      scopes: readonly string[] = EVERY_SCOPE,
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
      projects: { main: main.shown, second: second.shown },
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
      const user = await createUser(runtime.store, { ...fields, email: `${person}@masthead.example`, password }, now)
      return [person, { user, password }] as const
    }),
  )
  return Object.fromEntries(created) as People
}

async function seedMain(tx: Tx, people: People, home: Document, base_url: string, now: number) {
  const project = await createProject(
    tx,
    { name: 'Harbour News', slug: 'harbour-news', domain: 'harbour-news.example' },
    people.owner.user.id,
    now,
  )
  const api_keys: Record<string, string> = {}
  for (const [person, role] of Object.entries(MEMBERS) as [keyof typeof MEMBERS, Role][]) {
    const user_id = people[person].user.id
    if (person !== 'owner') await addMember(tx, project.id, user_id, role, now)
    api_keys[person] = (await createApiKey(tx, project.id, user_id, `Fixture, ${person}`, now)).key
  }
  const [connection] = await tx
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
    .returning({ id: connections.id })
  await tx.insert(newsletter_settings).values({
    project_id: project.id,
    from_name: 'Harbour News',
    from_email: 'news@harbour-news.example',
    reply_to: 'editors@harbour-news.example',
    company_name: 'Harbour News Ltd',
    postal_address: '1 Quay Street, Port Harbour',
    default_connection_id: connection!.id,
    updated_at: now,
  })
  const list_id = await seedList(tx, project.id, 'Weekly letter', false, now)
  const double_opt_in_list_id = await seedList(tx, project.id, 'Breaking news', true, now)
  await seedSite(tx, project.id, home, now)
  const shown = {
    id: project.public_id,
    slug: project.slug,
    domain: project.domain,
    api_keys,
    list_id,
    double_opt_in_list_id,
    connection_id: connection!.id,
    page_url: `${base_url}/sites/${project.slug}/`,
  }
  return { key: project.id, shown }
}

async function seedSecond(tx: Tx, people: People, now: number) {
  const owner_id = people.owner.user.id
  const project = await createProject(tx, { name: 'Mountain Post', slug: 'mountain-post' }, owner_id, now)
  const { key } = await createApiKey(tx, project.id, owner_id, 'Fixture, owner', now)
  const list_id = await seedList(tx, project.id, 'Trail report', false, now)
  return { key: project.id, shown: { id: project.public_id, slug: project.slug, api_keys: { owner: key }, list_id } }
}

async function seedList(
  tx: Tx,
  project_id: ProjectId,
  name: string,
  double_opt_in: boolean,
  now: number,
): Promise<number> {
  const [list] = await tx
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
    .returning({ id: lists.id })
  return list!.id
}

const SCRIPTS = [
  {
    name: 'Badge',
    type: 'Functional',
    placement: 'HTML Body end',
    code: '<div class="badge" data-label="{{label}}"></div>',
    parameters: { label: 'Hello' },
  },
  {
    name: 'Counter',
    type: 'Analytics',
    placement: 'HTML Head',
    code: '<script>window.counter = "{{site}}"</script>',
    parameters: {},
  },
] as const

/** An approved app with two scripts, neither of them connected. */
async function seedApp(tx: Tx, display_name: string, people: People, now: number) {
  const [developer, reviewer] = [people.developer.user.id, people.reviewer.user.id]
  const redirect_uri = `https://${display_name.toLowerCase().replace(' ', '-')}.example/callback`
  const { app, client_secret } = await createApp(
    tx,
    developer,
    {
      display_name,
      description: `${display_name} for websites.`,
      homepage: new URL(redirect_uri).origin,
      redirect_uris: [redirect_uri],
      scopes: [...EVERY_SCOPE],
      scope_reasons: {},
      require_pkce: false,
      client_type: 'confidential',
    },
    now,
  )
  const script_ids: number[] = []
  for (const script of SCRIPTS)
    script_ids.push((await createScript(tx, app, { ...script, parameters: { ...script.parameters } }, now)).id)
  const version = await createVersion(tx, app, developer, '', now)
  const request = await requestReview(tx, developer, app.id, version.id, now)
  await decide(tx, reviewer, request.id, 'approved', '', now)
  return { id: app.id, client_id: app.client_id, client_secret, redirect_uri, script_ids }
}

interface Grant {
  app_id: string
  user_id: string
  project_id: ProjectId
  scopes: readonly string[]
  ttl_seconds: number
}

/** An authorization as the consent page would have made it, with its first pair of tokens. */
async function grant(
  tx: Tx,
  { app_id, user_id, project_id, scopes, ttl_seconds }: Grant,
  now: number,
): Promise<TokenAnswer> {
  const scope = scopes.join(' ')
  const authorization_id = await startAuthorization(tx, { app_id, user_id, scope, project_ids: [project_id] }, now)
  return issueTokens(tx, { authorization_id: authorization_id!, scope, ttl_seconds }, now)
}

const HOME = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Harbour News</title></head>
<body><h1>Harbour News</h1><p>High water is at noon.</p></body>
</html>
`

/** What the site of project main shows: a page, three posts of different age and kind, an entry of a directory. */
async function seedSite(tx: Tx, project_id: ProjectId, document: Document, now: number): Promise<void> {
  await createPage(tx, project_id, { path: '/', title: 'Harbour News', document }, now)
  const DAY_MS = 24 * 3_600_000
  const posts = [
    {
      title: 'The ferry runs again',
      status: 'published',
      author: 'Edith Lane',
      category: 'Harbour',
      content: '<p>From Monday the ferry crosses every half hour.</p>',
      age: 3,
    },
    {
      title: 'A winter of storms',
      status: 'published',
      author: 'Milo Ford',
      category: 'Weather',
      content:
        '<p>Eleven gales in two months: what the gauges say, and what the old hands remember of worse years.</p>',
      age: 2,
    },
    {
      title: 'Plans for the pier',
      status: 'draft',
      author: 'Edith Lane',
      category: 'Harbour',
      content: '<p>Still to be checked.</p>',
      age: 1,
    },
  ] as const
  for (const { age, ...post } of posts) {
    const { id } = await createPost(tx, project_id, post, now - age * DAY_MS)
    await updatePost(
      tx,
      { project_id, post_id: id },
      { excerpt: post.content.replace(/<[^>]+>/g, '') },
      now - age * DAY_MS + 3_600_000,
    )
  }
  await createItem(
    tx,
    project_id,
    { directory: 'shops', title: 'Chandlery on the Quay', fields: { open: 'Monday to Saturday' } },
    now,
  )
}
