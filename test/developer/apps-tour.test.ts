import { afterAll, beforeAll, test } from 'bun:test'
import { checkRedirectUris } from '../../src/developer/registration.ts'
import { png } from '../support/pictures.ts'
import { expectRecorded } from '../support/recorded.ts'
import { createWorld, type World } from '../support/world.ts'
import { APPS } from './desk.ts'
import { type DeveloperTour, tourOf } from './tour.ts'

let world: World
let tour: DeveloperTour
beforeAll(async () => {
  world = await createWorld()
  tour = await tourOf(world, [
    'apps',
    'app_drafts',
    'app_secrets',
    'app_team',
    'app_images',
    'authorizations',
    'scripts',
  ])
  await tour.skip()
})
afterAll(() => world.close())

const MINUTE = 60_000
const FIRST = { displayName: 'Tides', redirect_uris: ['https://tides.example/cb'], scopes: ['profile'] }

test('Answers, rows and messages of the life of apps are those that are recorded.', async () => {
  await registration()
  await refusals()
  await changes()
  await secrets()
  await listings()
  await pictures()
  await ends()
  expectRecorded('developer/apps.txt', tour.text())
})

async function registration(): Promise<void> {
  tour.heading('Registration')
  world.clock.advance(MINUTE)
  await tour.ask('A developer without apps.', 'member', `GET ${APPS}`)
  const { app } = await tour.ask('An app with what is required.', 'outsider', `POST ${APPS}`, FIRST)
  tour.name(app.id, 'app_tides')
  tour.name(app.client_id, 'cli_tides')
  world.clock.advance(MINUTE)
  const whole = {
    displayName: '  Lighthouse ',
    description: ' Counts lights.\nAll of them. ',
    homepage: 'HTTP://lights.example/about',
    redirect_uris: ['com.example.lights:/cb', 'http://localhost:4000/cb', 'com.example.lights:/cb'],
    scopes: ['scripts:embed', 'profile', 'scripts:embed', 'scripts:read'],
    scope_reasons: { profile: 'To greet you.', 'scripts:embed': 'To shine.' },
    require_pkce: true,
    require_par: true,
    client_type: 'public',
  }
  const other = await tour.ask('A public one with everything.', 'outsider', `POST ${APPS}`, whole)
  tour.name(other.app.id, 'app_lighthouse')
  tour.name(other.app.client_id, 'cli_lighthouse')
  world.clock.advance(MINUTE)
  const third = { displayName: 'Buoys', redirect_uris: [], scopes: [], client_type: 'confidential', require_par: true }
  const buoys = await tour.ask('One without addresses, by another person.', 'owner', `POST ${APPS}`, third)
  tour.name(buoys.app.id, 'app_buoys')
  tour.name(buoys.app.client_id, 'cli_buoys')
  await tour.changes()
  await tour.ask('The apps of a developer, oldest first.', 'outsider', `GET ${APPS}`)
  await tour.ask('The team of an app is invited to it.', 'outsider', `POST ${APPS}/${app.id}/team`, {
    email: 'member@example.com',
  })
  await tour.ask('An app of the team is in the list of its members.', 'member', `GET ${APPS}`)
  await tour.ask('A member of the team reads it.', 'member', `GET ${APPS}/${app.id}`)
  await tour.ask('A reviewer reads it.', 'editor', `GET ${APPS}/${app.id}`)
  await tour.ask('Nobody else does.', 'owner', `GET ${APPS}/${app.id}`)
  await tour.ask('Nor without a session.', null, `GET ${APPS}/${app.id}`)
  await tour.ask('An app that there is not.', 'outsider', `GET ${APPS}/app_none`)
  await tour.skip()
}

async function refusals(): Promise<void> {
  tour.heading('Registrations that are refused')
  const make = (sentence: string, more: object) => tour.ask(sentence, 'outsider', `POST ${APPS}`, { ...FIRST, ...more })
  await tour.ask('Nothing.', 'outsider', `POST ${APPS}`, {})
  await tour.ask('Wrong types.', 'outsider', `POST ${APPS}`, {
    displayName: 1,
    redirect_uris: 'x',
    scopes: [1],
    client_type: 'secret',
    require_pkce: 'yes',
    homepage: 'ftp://x',
    secret: true,
  })
  await make('A name of blanks.', { displayName: '  ' })
  await make('A name of 101 characters.', { displayName: 'n'.repeat(101) })
  await make('A description of 2001 characters.', { description: 'd'.repeat(2001) })
  await make('Eleven addresses, one of them twice.', { redirect_uris: uris(11, 0) })
  await make('An address with a fragment, the second.', { redirect_uris: [...uris(1), 'https://a.example/#x'] })
  await make('A scope that there is not, the second.', { scopes: ['profile', 'scripts:write'] })
  await make('A reason for a scope that is not asked for.', { scope_reasons: { 'scripts:read': 'Why not?' } })
  await make('A reason of blanks.', { scope_reasons: { profile: '  ' } })
  await make('A reason of 501 characters.', { scope_reasons: { profile: 'r'.repeat(501) } })
  await make('A public client with http elsewhere.', { client_type: 'public', redirect_uris: ['http://a.example'] })
  await make('A confidential client with its own scheme.', { redirect_uris: ['com.example.tides:/cb'] })
  await tour.changes()
  addresses()
  await make('At the limits.', {
    displayName: 'n'.repeat(100),
    description: 'd'.repeat(2000),
    redirect_uris: uris(10, 0),
    scopes: [...ALL_SCOPES, 'profile'],
    scope_reasons: { profile: 'r'.repeat(500) },
  })
  await tour.skip()
}

const ADDRESSES = [
  ...[
    'https://a.example',
    'https://a.example/',
    'https://a.example?x',
    'HTTPS://A.example/cb',
    'https://a.example:8443/cb',
  ],
  ...[
    'https://a.example:123456/',
    'https://a-b.example',
    'https://-a.example',
    'https://a_b.example',
    'https://a.example./',
  ],
  ...[
    'https://[::1]/cb',
    'https://[::1]:3/',
    'https://x',
    'https:///cb',
    'https:cb',
    'https://a.example/*',
    'https://a.example/#',
  ],
  ...[
    'https://u@a.example/',
    'https://u:p@a.example/',
    'https://@a.example/',
    'https://a.example/@x',
    'https://a.example/?q=@x',
  ],
  ...[
    'https://a.example/é',
    'https://a.example/a b',
    'https://a.example/\\\\',
    'https://é.example',
    'a.example/cb',
    '/cb',
    '',
    ' ',
  ],
  ...[
    'http://127.0.0.1/cb',
    'http://127.0.0.1:3000/cb',
    'http://[::1]:1/',
    'http://localhost',
    'http://localhost?x',
    'http://localhost:123456',
  ],
  ...[
    'http://127.0.0.2/',
    'http://localhost.example/',
    'http://a.example/',
    'com.example.app:/cb',
    'com.example.app://cb',
    'app:/cb',
  ],
  ...['javascript:x', 'data:text/html,x', 'COM.example:/x', 'c+.-d:/x', '1com.example:/x'],
  ...[`https://a.example/${'x'.repeat(1982)}`, `https://a.example/${'x'.repeat(1983)}`],
]

/** What is wrong with each address for both kinds of clients. */
function addresses(): void {
  const flawOf = (address: string, kind: 'confidential' | 'public') => {
    try {
      return checkRedirectUris([address, address], kind).length === 1 ? 'fine' : 'twice'
    } catch (error) {
      return (error as { details: { message: string }[] }).details[0]!.message
    }
  }
  for (const address of ADDRESSES) {
    const [secret, open] = [flawOf(address, 'confidential'), flawOf(address, 'public')]
    tour.write(`  ${JSON.stringify(address)}: ${secret}${secret === open ? '' : ` For a public client: ${open}`}`)
  }
}

async function changes(): Promise<void> {
  const [tides, lighthouse] = await appsOf('outsider')
  const change = (sentence: string, body: object, app = tides!, by: 'outsider' | 'member' | 'editor' = 'outsider') =>
    tour.ask(sentence, by, `PATCH ${APPS}/${app}`, body)
  tour.heading('Changes in development')
  world.clock.advance(MINUTE)
  await change('Nothing at all.', {})
  await tour.changes()
  world.clock.advance(MINUTE)
  await change('Its name and what it says.', { displayName: ' Tide tables ', description: 'High water.' })
  await change('Its homepage, by another of the team.', { homepage: 'https://tides.example/' }, tides, 'member')
  await change('Scopes, whose reasons follow.', {
    scopes: ['profile', 'cms:post:read', 'scripts:read'],
    scope_reasons: { 'cms:post:read': 'To quote.', 'scripts:read': 'To look.' },
  })
  await tour.changes()
  await change('A scope less takes its reason with it.', { scopes: ['profile', 'scripts:read'] })
  await change('PKCE.', { require_pkce: true })
  await change('Pushed requests, without PKCE.', { require_par: true, require_pkce: false })
  await change('No pushed requests.', { require_par: false })
  await change('Addresses.', { redirect_uris: ['https://tides.example/a', 'https://tides.example/b'] })
  await tour.changes()
  await change('The same addresses in another order tell nobody.', {
    redirect_uris: ['https://tides.example/b', 'https://tides.example/a'],
  })
  await change('No addresses.', { redirect_uris: [] })
  await tour.changes()
  await change('A reviewer may not.', { displayName: 'Mine' }, tides, 'editor')
  await tour.ask('Nor somebody else.', 'owner', `PATCH ${APPS}/${tides}`, { displayName: 'Mine' })
  await change('An unknown property.', { client_type: 'public' })
  await change('A blank name.', { displayName: ' ' })
  await change('A reason for a scope that it lost.', { scopes: [], scope_reasons: { profile: 'Why?' } })
  await tour.changes()

  tour.heading('Changes of an approved app')
  await change('What is to be approved.', {
    displayName: 'Tides',
    redirect_uris: ['https://tides.example/a', 'https://tides.example/b', 'https://tides.example/c'],
    scopes: ['profile', 'scripts:read', 'scripts:embed'],
  })
  await approve(tides!)
  await tour.skip()
  await tour.ask('The approved app.', 'member', `GET ${APPS}/${tides}`)
  world.clock.advance(MINUTE)
  await change('Everything waits, but what is removed ends.', {
    displayName: 'New tides',
    description: 'Low water.',
    homepage: '',
    redirect_uris: ['https://tides.example/c', 'https://tides.example/d', 'https://tides.example/a'],
    scopes: ['scripts:embed', 'cms:post:read', 'profile'],
    require_pkce: true,
  })
  await tour.changes()
  await change('What waits is withdrawn.', { redirect_uris: ['https://tides.example/c'] })
  await tour.changes()
  await tour.ask('A public app keeps the rule of its kind.', 'outsider', `PATCH ${APPS}/${lighthouse ?? tides}`, {
    redirect_uris: ['http://tides.example/'],
  })
}

async function secrets(): Promise<void> {
  const [tides, lighthouse] = await appsOf('outsider')
  const at = `${APPS}/${tides}/secrets`
  tour.heading('Secrets')
  world.clock.advance(MINUTE)
  const { secrets: before } = await tour.ask('The first.', 'outsider', `GET ${at}`)
  await tour.ask('The last one stays.', 'outsider', `DELETE ${at}/${before[0].id}`, {})
  await tour.ask('A second, by another of the team.', 'member', `POST ${at}`, {})
  await tour.changes()
  await tour.ask('A third.', 'outsider', `POST ${at}`, {})
  world.clock.advance(MINUTE)
  await tour.ask('The first is revoked.', 'outsider', `DELETE ${at}/${before[0].id}`, {})
  await tour.ask('It is revoked already.', 'outsider', `DELETE ${at}/${before[0].id}`, {})
  world.clock.advance(MINUTE)
  await tour.ask('There is room for another.', 'outsider', `POST ${at}`, {})
  await tour.ask('All, oldest first.', 'member', `GET ${at}`)
  await tour.changes()
  await tour.ask('A secret of another app.', 'outsider', `DELETE ${APPS}/${lighthouse}/secrets/${before[0].id}`, {})
  await tour.ask('A public app has none.', 'outsider', `POST ${APPS}/${lighthouse}/secrets`, {})
  await tour.ask('Nor in its list.', 'outsider', `GET ${APPS}/${lighthouse}/secrets`)
  await tour.ask('A reviewer does not see them.', 'editor', `GET ${at}`)
  await tour.ask('Nor adds one.', 'editor', `POST ${at}`, {})
  await tour.ask('Nor revokes one.', 'editor', `DELETE ${at}/${before[0].id}`, {})
}

async function listings(): Promise<void> {
  const [tides] = await appsOf('outsider')
  const at = `${APPS}/${tides}/listing`
  const listing = {
    tagline: 'Tides at a glance',
    description: 'First line.\nSecond line.',
    icon_url: 'https://tides.example/icon.png',
    screenshots: ['https://tides.example/1.png', 'http://tides.example/2.png', 'https://tides.example/3.png'],
    support_url: 'https://tides.example/help',
    privacy_url: 'https://tides.example/privacy',
    category: 'Weather',
  }
  tour.heading('Listing')
  await tour.ask('An empty one.', 'outsider', `GET ${at}`)
  await tour.ask('A whole one.', 'member', `PUT ${at}`, listing)
  await tour.ask('A reviewer reads it.', 'editor', `GET ${at}`)
  await tour.changes()
  await tour.ask('The app has its icon as a draft.', 'outsider', `GET ${APPS}/${tides}`)
  await tour.ask('What is left out becomes empty.', 'outsider', `PUT ${at}`, {
    category: 'Sea',
    tagline: 't'.repeat(150),
  })
  await tour.changes()
  await tour.ask('Too long, or no address.', 'outsider', `PUT ${at}`, {
    tagline: 't'.repeat(151),
    description: 'd'.repeat(10_001),
    icon_url: 'icon.png',
    screenshots: Array.from({ length: 11 }, (_, index) => `https://tides.example/${index}.png`),
    support_url: 'mailto:help@tides.example',
    privacy_url: ' https://tides.example',
    category: 'c'.repeat(101),
    color: 'blue',
  })
  await tour.ask('A tagline of two lines.', 'outsider', `PUT ${at}`, { tagline: 'One\ntwo' })
  await tour.ask('A reviewer does not write it.', 'editor', `PUT ${at}`, {})
  await tour.ask('Others do not even see it.', 'owner', `GET ${at}`)
}

async function pictures(): Promise<void> {
  const [tides, lighthouse] = await appsOf('outsider')
  const at = `${APPS}/${tides}/images`
  const typed = { headers: { 'content-type': 'image/png' } }
  const picture = (side: number) => new Uint8Array(png(side, side + 1, { color: (x) => [side, x, 9] }))
  tour.heading('Pictures')
  await tour.ask('None.', 'outsider', `GET ${at}`)
  const first = await tour.ask('One with a name.', 'outsider', `POST ${at}?name=Icon`, picture(3), typed)
  world.clock.advance(MINUTE)
  await tour.ask('One without, by another of the team.', 'member', `POST ${at}`, picture(4), typed)
  await tour.ask('The same again, with another name.', 'outsider', `POST ${at}?name=Again`, picture(3), typed)
  await tour.ask('As bytes of any type.', 'outsider', `POST ${at}?name=Third`, picture(5), {
    headers: { 'content-type': 'application/octet-stream' },
  })
  await tour.ask('The newest first.', 'editor', `GET ${at}`)
  await tour.changes()
  await tour.ask('No picture.', 'outsider', `POST ${at}`, new Uint8Array([1, 2, 3]), typed)
  await tour.ask('A wrong type.', 'outsider', `POST ${at}`, 'text')
  await tour.ask('A name of 201 characters.', 'outsider', `POST ${at}?name=${'n'.repeat(201)}`, picture(3), typed)
  await tour.ask('A reviewer adds none.', 'editor', `POST ${at}`, picture(3), typed)
  await tour.ask('Another app has none of them.', 'outsider', `GET ${APPS}/${lighthouse}/images`)
  await tour.ask('Nor deletes one.', 'outsider', `DELETE ${APPS}/${lighthouse}/images/1`, {})
  await tour.ask('The icon.', 'outsider', `PUT ${APPS}/${tides}/listing`, { icon_url: first.image.url })
  await tour.ask('The listing shows it.', 'outsider', `DELETE ${at}/1`, {})
  await tour.ask('A reviewer deletes none.', 'editor', `DELETE ${at}/2`, {})
  await tour.ask('One that is shown nowhere.', 'member', `DELETE ${at}/2`, {})
  await tour.ask('It is gone.', 'member', `DELETE ${at}/2`, {})
  await tour.ask('No number.', 'member', `DELETE ${at}/x`, {})
  await tour.changes()
  await tour.ask('One that it has.', 'outsider', `POST ${at}`, picture(3), typed)
  await tour.skip()
}

async function ends(): Promise<void> {
  const [tides, lighthouse] = await appsOf('outsider')
  tour.heading('The end of an app')
  await tour.token(tides!, 'owner', 'profile')
  await tour.token(lighthouse!, 'owner', 'profile')
  await tour.skip()
  await tour.ask('A reviewer does not delete it.', 'editor', `DELETE ${APPS}/${tides}`, {})
  await tour.ask('Nor others.', 'owner', `DELETE ${APPS}/${tides}`, {})
  await tour.ask('A member of the team does.', 'member', `DELETE ${APPS}/${tides}`, {})
  await tour.changes()
  await tour.ask('It is gone.', 'outsider', `GET ${APPS}/${tides}`)
}

async function appsOf(by: 'outsider'): Promise<string[]> {
  const { apps } = await tour.quiet(by, `GET ${APPS}`)
  return apps.map(({ id }: { id: string }) => id).slice(1)
}

async function approve(app: string): Promise<void> {
  const { version } = await tour.quiet('outsider', `POST ${APPS}/${app}/versions`, {})
  const { review_request } = await tour.quiet('outsider', 'POST /user/review-requests', {
    app_id: app,
    version_id: version.id,
  })
  await tour.quiet('editor', `POST /user/review-requests/${review_request.id}/approve`, {})
}

const ALL_SCOPES = [
  ...['newsletter:read', 'newsletter:write', 'newsletter:send', 'newsletter:admin', 'cms:post:read'],
  ...['directory:items:read', 'scripts:read', 'scripts:embed', 'scripts:delete', 'profile'],
]

/** Addresses of an app; one of them comes again. */
function uris(count: number, again?: number): string[] {
  const all = Array.from({ length: count }, (_, index) => `https://tides.example/${index}`)
  return again === undefined ? all : [...all, all[again]!]
}
