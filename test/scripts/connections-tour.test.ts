import { afterAll, beforeAll, test } from 'bun:test'
import { eq, gt } from 'drizzle-orm'
import { flushRequests } from '../../src/developer/request-log.ts'
import { members, projects } from '../../src/store/tables/accounts.ts'
import { app_calls } from '../../src/store/tables/developer.ts'
import { authorizations } from '../../src/store/tables/apps.ts'
import { published_scripts, script_connections, scripts } from '../../src/store/tables/scripts.ts'
import { APPS, REVIEWS } from '../developer/desk.ts'
import { type DeveloperTour, tourOf } from '../developer/tour.ts'
import { expectRecorded } from '../support/recorded.ts'
import type { Person } from '../support/tour-requests.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
let tour: DeveloperTour
let tides = ''
let buoys = ''
let owner = ''
let editor = ''
let member = ''
const API = '/general/api/v1'
beforeAll(async () => {
  world = await createWorld()
  tour = await tourOf(world, ['script_connections', 'switched_off_scripts', 'script_settings'])
  world.clock.advance(MINUTE)
  tides = await newApp('Tides', 'outsider', ['scripts:embed', 'scripts:read', 'profile'])
  buoys = await newApp('Buoys', 'owner', ['scripts:embed', 'scripts:read', 'scripts:delete', 'cms:post:read'])
  const written = [
    { name: 'Counter', type: 'Analytics', placement: 'HTML Head', code: '<script>n("{{a}}",{{b}})</script>' },
    { name: 'Badge', type: 'Essential', placement: 'HTML Body start', code: '<b>{{a}} and {{html}}</b>' },
    { name: 'Banner', type: 'Advertising', placement: 'HTML Body end', code: '<i class={{a}}>Banner</i>' },
    { name: 'Help', type: 'Functional', placement: 'HTML Body end', code: '<u>{{a}}{{b}}</u>' },
  ]
  const defaults = { a: 'A', b: 2, html: '<s>h</s>' }
  for (const script of written)
    await tour.quiet('outsider', `POST ${APPS}/${tides}/scripts`, {
      ...script,
      parameters: defaults,
      parameter_formats: { html: 'html' },
    })
  await tour.quiet('owner', `POST ${APPS}/${buoys}/scripts`, { ...written[1], name: 'Buoy' })
  const all = 'scripts:embed scripts:read scripts:delete cms:post:read directory:items:read profile'
  const both = [world.project.id, world.other.id]
  owner = await tour.token(tides, 'owner', all, both)
  world.clock.advance(MINUTE)
  editor = await tour.token(tides, 'editor', all)
  world.clock.advance(MINUTE)
  member = await tour.token(tides, 'member', all)
  const page = '<!doctype html><html><head><title>T</title></head><body><p>Text</p></body></html>'
  for (const path of ['/', '/a', '/b'])
    await tour.quiet('owner', 'POST /project/pages/create', {
      ...at(),
      path,
      html: page,
      title: `At ${path}`,
      published: path !== '/b',
    })
  await tour.skip()
})
afterAll(() => world.close())

const MINUTE = 60_000
/** The one that asks visitors. */
const LONG_SCRIPT = /<script>(?:(?!<\/script>)[^]){500,}<\/script>/g
const at = () => ({ project_id: world.project.public_id })
const theirs = () => ({ project_id: world.other.public_id })

async function newApp(displayName: string, by: Person, scopes: string[]): Promise<string> {
  const name = displayName.toLowerCase()
  const made = { displayName, redirect_uris: [], scopes, homepage: `https://${name}.example`, description: `${name}!` }
  const { app } = await tour.quiet(by, `POST ${APPS}`, made)
  tour.name(app.id, `app_${name}`)
  world.clock.advance(MINUTE)
  return app.id
}

test('Answers, rows and pages of script connections are those that are recorded.', async () => {
  await connecting()
  await owners()
  await pages()
  await overview()
  await tokens()
  expectRecorded('developer/connections.txt', tour.text())
})

async function connecting(): Promise<void> {
  const list = (sentence: string, token: string, query = `?project_id=${world.project.public_id}`, body?: object) =>
    tour.ask(sentence, { token }, `POST ${API}/scripts/list${query}`, body)
  const embed = (sentence: string, body: object, token = editor) =>
    tour.ask(sentence, { token }, `POST ${API}/scripts/embed`, { ...at(), ...body })
  tour.heading('An app connects its scripts')
  await list('All, none of them connected.', member)
  await list('No project.', member, '')
  await list('Another project.', member, `?project_id=${world.other.public_id}`)
  await embed('One with its defaults.', { scriptId: 1 })
  world.clock.advance(MINUTE)
  await embed('One with a value.', { scriptId: 2, parameters: { a: 'B&B', extra: null } }, owner)
  await embed('In another project.', { ...theirs(), scriptId: 2, parameters: { a: 'theirs' } }, owner)
  await embed('One for all.', { scriptId: 3, parameters: {} })
  await embed('One with a null.', { scriptId: 4, parameters: { a: null, b: false } })
  await tour.changes()
  world.clock.advance(MINUTE)
  await embed('Values stay when none are given.', { scriptId: 2 })
  await tour.changes()
  await embed('Values are replaced.', { scriptId: 4, parameters: { b: 0.5 } })
  await tour.changes()
  await embed('By a member.', { scriptId: 1 }, member)
  await embed('A script of another app.', { scriptId: 5 })
  await embed('The same, with values.', { scriptId: 5, parameters: { a: 1 } })
  await embed('No script.', {})
  await embed('No number, and more.', { scriptId: 'x', id: 3 })
  await embed('Markup that stays open.', { scriptId: 2, parameters: { html: '<i' } })
  await embed('Values of a wrong kind.', { scriptId: 2, parameters: { a: {} } })
  await embed('A place between attributes is parsed.', { scriptId: 3, parameters: { a: 'x' } }, owner)
  world.clock.advance(MINUTE)
  const weak = await tour.token(tides, 'owner', 'profile')
  await embed('Without the scope.', { scriptId: 1 }, weak)
  await list('Without the scope.', weak)
  await list('All of one project.', member)
  await list('All of the other.', owner, `?project_id=${world.other.public_id}`)
  await tour.changes()

  tour.heading('An app disconnects its scripts')
  const cut = (sentence: string, id: number | string, token = editor) =>
    tour.ask(sentence, { token }, `DELETE ${API}/scripts/connection/${id}`)
  await cut('By a member.', 4, member)
  await cut('One of another project.', 3, editor)
  await cut('No number.', 'x')
  await cut('None that there is.', 99)
  await cut('Without the scope.', 4, weak)
  world.clock.advance(MINUTE)
  const other = await tour.token(buoys, 'owner', 'scripts:delete scripts:embed')
  world.clock.advance(MINUTE)
  await cut('By another app.', 4, other)
  await cut('One.', 4, editor)
  await cut('It is gone.', 4, editor)
  await tour.changes()
  await embed('Connected again, with its defaults.', { scriptId: 3 })
  await tour.changes()

  const { store } = world.service.runtime
  const made = {
    app_id: buoys,
    type: 'Essential',
    placement: 'HTML Head',
    code: '<p>1</p>',
    ...{ created_at: 1, updated_at: 1 },
  } as const
  await store.write(async (tx) => {
    for (let id = 6; id <= 26; id++) {
      await tx.insert(scripts).values({ id, name: `More ${id}`, ...made })
      await tx.insert(published_scripts).values({
        script_id: id,
        name: `More ${id}`,
        type: 'Essential',
        placement: 'HTML Head',
        code: '<p>1</p>',
        parameters: {},
      })
      if (id < 26)
        await tx
          .insert(script_connections)
          .values({ project_id: world.project.id, script_id: id, created_at: 1, updated_at: 1 })
    }
  })
  await embed('One more than twenty.', { scriptId: 26 }, other)
  await embed('One of the twenty.', { scriptId: 25, parameters: { z: 1 } }, other)
  await store.write((tx) => tx.delete(scripts).where(gt(scripts.id, 5)))
  await tour.quiet({ token: other }, `POST ${API}/scripts/embed`, { ...at(), scriptId: 5 })
  await tour.skip()
}

async function owners(): Promise<void> {
  const ask = (sentence: string, by: Person, verb: string, body: object = {}) =>
    tour.ask(sentence, by, `POST /project/scripts/${verb}`, { ...at(), ...body })
  tour.heading('What administrators see and do')
  world.clock.advance(MINUTE)
  await ask('All.', 'administrator', 'list')
  await ask('Not for editors.', 'editor', 'list')
  await ask('Not for others.', 'outsider', 'list')
  await ask('Switched off.', 'administrator', 'switch', { connection_id: 2, enabled: false })
  await ask('And another.', 'owner', 'switch', { connection_id: 1, enabled: false })
  await tour.changes()
  world.clock.advance(MINUTE)
  await ask('Off already.', 'owner', 'switch', { connection_id: 2, enabled: false })
  await ask('On again.', 'owner', 'switch', { connection_id: 1, enabled: true })
  await tour.changes()
  await ask('One of another project.', 'owner', 'switch', { connection_id: 3, enabled: false })
  await ask('Not by an editor.', 'editor', 'switch', { connection_id: 1, enabled: false })
  await ask('Without a word.', 'owner', 'switch', { connection_id: 1 })
  await ask('Visitors are asked.', 'administrator', 'settings', { consent_required: true })
  await tour.changes()
  world.clock.advance(MINUTE)
  await ask('Not any more.', 'administrator', 'settings', { consent_required: false })
  await ask('Not by an editor.', 'editor', 'settings', { consent_required: true })
  await tour.changes()
  await ask('Removed.', 'administrator', 'remove', { connection_id: 5 })
  await ask('Gone.', 'administrator', 'remove', { connection_id: 5 })
  await ask('One of another project.', 'administrator', 'remove', { connection_id: 3 })
  await ask('Not by an editor.', 'editor', 'remove', { connection_id: 1 })
  await tour.changes()
  await ask('A preview.', 'member', 'preview', { connection_id: 2, path: '/a' })
  await ask('A preview of a path with blanks.', 'member', 'preview', { connection_id: 1, path: '/a b' })
  await ask('No path.', 'member', 'preview', { connection_id: 2, path: '' })
  await ask('A path that is none.', 'member', 'preview', { connection_id: 2, path: 'a' })
  await ask('A connection of another project.', 'member', 'preview', { connection_id: 3, path: '/' })
}

async function pages(): Promise<void> {
  tour.heading('Pages with scripts')
  const home = `GET /sites/${world.project.slug}/a`
  await tour.ask('Those that are on.', null, home)
  const show = async (sentence: string, address = home) => {
    const text = await tour.plain(null, address)
    tour.write(
      `- ${sentence}`,
      ...text
        .replace(LONG_SCRIPT, '<script>…</script>')
        .split('\n')
        .map((line) => `  > ${line}`),
    )
  }
  // The app of a developer who is no member does not run before it is approved.
  await add('outsider')
  await show('When its developer is a member.')
  const preview = await tour.quiet('member', 'POST /project/scripts/preview', { ...at(), connection_id: 2, path: '/a' })
  await show('With the one that is off.', `GET ${preview.with_script.replace(world.url, '')}`)
  const without = await tour.quiet('member', 'POST /project/scripts/preview', { ...at(), connection_id: 1, path: '/a' })
  await show('Without one that is on.', `GET ${without.without_script.replace(world.url, '')}`)
  world.clock.advance(60 * MINUTE)
  await show('The preview has ended.', `GET ${preview.with_script.replace(world.url, '')}`)
  await tour.quiet('administrator', 'POST /project/scripts/settings', { ...at(), consent_required: true })
  await show('When visitors are asked.')
  await tour.quiet('administrator', 'POST /project/scripts/settings', { ...at(), consent_required: false })
  await tour.quiet('outsider', `PATCH ${APPS}/${tides}/scripts/1`, { code: '<script>m("{{a}}")</script>' })
  await show('After a change.')
  await tour.quiet('editor', `POST ${APPS}/${tides}/suspend`, { comment: 'No.' })
  await show('While the app is suspended.')
  await tour.ask(
    'Its tokens are refused.',
    { token: owner },
    `POST ${API}/scripts/list?project_id=${world.project.public_id}`,
  )
  await tour.quiet('editor', `POST ${APPS}/${tides}/unsuspend`, {})
  await approve()
  await remove('outsider')
  await tour.quiet('outsider', `PATCH ${APPS}/${tides}/scripts/1`, { code: '<script>draft("{{a}}")</script>' })
  await tour.quiet('outsider', `PATCH ${APPS}/${tides}/scripts/4`, { code: '<u>draft {{a}}{{b}}</u>' })
  await show('Approved: sites get the version.')
  await tour.quiet('outsider', `POST ${APPS}/${tides}/team`, { email: 'owner@example.com' })
  await tour.quiet('owner', `POST ${APPS}/${tides}/test-projects`, at())
  await show('In a test project they get the drafts.')
  await tour.ask('As its owners see it.', 'owner', 'POST /project/scripts/list', at())
  await tour.quiet('owner', `DELETE ${APPS}/${tides}/test-projects/${world.project.public_id}`, {})
  await tour.skip()
}

async function approve(): Promise<void> {
  const { version } = await tour.quiet('outsider', `POST ${APPS}/${tides}/versions`, {})
  const { review_request } = await tour.quiet('outsider', `POST ${REVIEWS}`, { app_id: tides, version_id: version.id })
  await tour.quiet('editor', `POST ${REVIEWS}/${review_request.id}/approve`, {})
}

async function add(person: Person): Promise<void> {
  const { store } = world.service.runtime
  const row = { project_id: world.project.id, user_id: world.users[person], role: 'member' as const }
  await store.write((tx) => tx.insert(members).values({ ...row, added_at: world.clock.now() }))
}

async function remove(person: Person): Promise<void> {
  const { store } = world.service.runtime
  await store.write((tx) => tx.delete(members).where(eq(members.user_id, world.users[person])))
}

async function overview(): Promise<void> {
  tour.heading('The apps of a project, as its members see them')
  // What apps called is written in the background. Before the first look nothing waits.
  await flushRequests(world.service.runtime.store)
  await world.service.runtime.store.write((tx) => tx.delete(app_calls))
  const show = (sentence: string, by: Person = 'member', body: object = at()) =>
    tour.ask(sentence, by, 'POST /project/apps/overview', body)
  await tour.ask('Of a project with one.', 'owner', 'POST /project/apps/overview', theirs())
  await show('Of one with more.')
  await show('Not for others.', 'outsider')
  world.clock.advance(MINUTE)
  // A version asks for more than those who let the app in have allowed.
  await tour.token(tides, 'member', 'scripts:read')
  world.clock.advance(MINUTE)
  const scopes = ['newsletter:write', 'profile', 'cms:post:read', 'scripts:embed', 'newsletter:read', 'scripts:read']
  await tour.quiet('outsider', `PATCH ${APPS}/${tides}`, { scopes, homepage: 'https://new.example' })
  await approve()
  await show('A version that asks for more.')
  world.clock.advance(MINUTE)
  const again = await tour.token(tides, 'member', 'newsletter:read')
  tour.name(again, 'again')
  const { store } = world.service.runtime
  const day = Math.floor(world.clock.now() / 86_400_000)
  await store.write(async (tx) => {
    const used = { last_used_at: world.clock.now() }
    await tx.update(authorizations).set(used).where(eq(authorizations.user_id, world.users.editor))
    await tx.update(authorizations).set({ last_used_at: 5 }).where(eq(authorizations.user_id, world.users.member))
    await tx.delete(app_calls)
    await tx.insert(app_calls).values([
      { project_id: world.project.id, app_id: tides, day, calls: 10, errors: 1 },
      { project_id: world.project.id, app_id: tides, day: day - 6, calls: 100, errors: 2 },
      { project_id: world.project.id, app_id: tides, day: day - 7, calls: 1000, errors: 3 },
      { project_id: world.other.id, app_id: tides, day, calls: 7, errors: 4 },
      { project_id: world.project.id, app_id: buoys, day, calls: 3, errors: 0 },
    ])
  })
  await show('A grant after it.')
  await tour.quiet('administrator', 'POST /project/scripts/settings', { ...at(), consent_required: true })
  await tour.quiet('owner', `POST ${APPS}/${buoys}/test-projects`, at())
  await tour.quiet('editor', `POST ${APPS}/${tides}/suspend`, { comment: 'Too many.' })
  await show('Suspended, with consent and a test.')
  await tour.quiet('editor', `POST ${APPS}/${tides}/unsuspend`, {})
  await show('With consent.')
  await remove('editor')
  await show('One who let it in has left.')
}

async function tokens(): Promise<void> {
  tour.heading('What an app learns with its token')
  const ask = (sentence: string, token: string, call: string, body?: object) =>
    tour.ask(sentence, { token }, call, body)
  await ask('Its user.', owner, `GET ${API}/token/authorized_by`)
  await ask('Its scope and projects.', owner, `GET ${API}/token/introspect`)
  await ask('Those of a member.', member, `GET ${API}/token/introspect`)
  await ask('Those of somebody who left.', editor, `GET ${API}/token/introspect`)
  await ask('The user as OpenID Connect says it.', member, 'GET /general/oauth/userinfo')
  const weak = await tour.token(tides, 'owner', 'scripts:read')
  await ask('Without the scope.', weak, 'GET /general/oauth/userinfo')
  await ask('Its projects.', owner, `GET ${API}/project/list`)
  await ask('Those of somebody who left.', editor, `GET ${API}/project/list`)
  await ask('One project.', member, `POST ${API}/project/details`, at())
  await ask('Another.', member, `POST ${API}/project/details`, theirs())
  await tour.ask('No token.', null, `GET ${API}/token/introspect`)
  await tour.ask('A wrong token.', { token: `svc_at_${'a'.repeat(43)}` }, `GET ${API}/token/introspect`)

  tour.heading('What an app reads of a site')
  const cms = '/project/cms/posts/create'
  const post = (body: object) => tour.quiet('owner', `POST ${cms}`, { ...at(), ...body })
  const posts = [
    { title: 'Beta', status: 'published', author: 'Ann', category: 'News', content: '<p>one two three</p>' },
    { title: 'Alpha', status: 'published', author: 'Bob', category: 'Sport', content: '<p onclick="x()">one</p>' },
    { title: 'Gamma', status: 'draft', author: 'Ann', category: 'News', content: 'a b c d e', excerpt: 'Short.' },
  ]
  for (const each of posts) {
    world.clock.advance(MINUTE)
    await post(each)
  }
  await tour.quiet('owner', `POST ${cms}`, { ...theirs(), title: 'Beta', status: 'published', content: 'theirs' })
  const listed = `POST ${API}/cms/post/list`
  await ask('All posts, with drafts.', owner, listed, at())
  const titles = async (query: object, token = owner) =>
    (await tour.quiet({ token }, listed, { ...at(), ...query })).data.map(({ title }: any) => title).join(', ')
  tour.write(`- Without drafts, for a member: ${await titles({}, member)}`)
  for (const query of [
    ...['created_on', 'last_update', 'title', 'word_count'].flatMap((sort) => [{ sort }, { sort, order: 'asc' }]),
    ...[{ order: 'desc' }, { order: 'dsc' }, { limit: 1 }, { limit: 1, offset: 1 }, { offset: 2 }],
    ...[{ filters: { status: 'draft' } }, { filters: { category: 'News' } }, { filters: { author: 'Bob' } }],
    ...[{ filters: { search: 'ET' } }, { filters: { search: 'a', author: 'Ann', status: 'published' } }],
  ])
    tour.write(`  ${JSON.stringify(query)}: ${await titles(query)}`)
  await ask('A wrong query.', owner, listed, {
    ...at(),
    sort: 'id',
    order: 'up',
    limit: 0,
    offset: -1,
    filters: { id: 1 },
  })
  const got = `POST ${API}/cms/post/get`
  await ask('One, with content that is safe elsewhere.', member, got, { ...at(), id: 2 })
  await ask('A draft, for its owner.', owner, got, { ...at(), id: 3 })
  await ask('A draft, for a member.', member, got, { ...at(), id: 3 })
  await ask('One of another project.', member, got, { ...at(), id: 4 })
  await ask('Without the scope.', weak, got, { ...at(), id: 2 })
  for (const [directory, title] of [
    ['Shops', 'Bakery'],
    ['People', 'Ann'],
    ['Shops', 'Chandler'],
  ])
    await tour.quiet('owner', 'POST /project/directory/items/create', {
      ...at(),
      directory,
      title,
      fields: { n: title },
    })
  const items = `POST ${API}/directory/item/list`
  await ask('The items of the directories.', member, items, at())
  await ask('Those of one.', member, items, { ...at(), directory: 'Shops', limit: 1, offset: 1 })
  await ask('A wrong query.', member, items, { ...at(), directory: '', limit: 201, offset: -1 })
  await ask('Without the scope.', weak, items, at())
  const { store } = world.service.runtime
  await store.write((tx) =>
    tx.update(projects).set({ domain: 'harbour.example' }).where(eq(projects.id, world.project.id)),
  )
  const { data } = await tour.quiet({ token: owner }, listed, at())
  tour.write(`- On a domain of its own: ${data.map(({ url }: any) => url).join(', ')}`)
}
