import { afterAll, beforeAll, test } from 'bun:test'
import { inArray } from 'drizzle-orm'
import { users } from '../../src/store/tables/accounts.ts'
import { authorizations } from '../../src/store/tables/apps.ts'
import { expectRecorded } from '../support/recorded.ts'
import type { Person } from '../support/tour-requests.ts'
import { createWorld, type World } from '../support/world.ts'
import { APPS, REVIEWS } from './desk.ts'
import { type DeveloperTour, tourOf } from './tour.ts'

let world: World
let tour: DeveloperTour
let tides = ''
let buoys = ''
beforeAll(async () => {
  world = await createWorld()
  tour = await tourOf(world, [
    'apps',
    'app_drafts',
    'scripts',
    'published_scripts',
    'script_connections',
    'app_versions',
    'review_requests',
    'app_suspensions',
    'app_events',
    'app_calls',
  ])
  world.clock.advance(MINUTE)
  tides = await newApp('Tides', 'outsider')
  buoys = await newApp('Buoys', 'owner')
  await tour.quiet('outsider', `POST ${APPS}/${tides}/team`, { email: 'member@example.com' })
  await tour.skip()
})
afterAll(() => world.close())

const MINUTE = 60_000

async function newApp(displayName: string, by: Person): Promise<string> {
  const name = displayName.toLowerCase()
  const { app } = await tour.quiet(by, `POST ${APPS}`, {
    displayName,
    description: `All about ${name}.`,
    homepage: `https://${name}.example`,
    redirect_uris: [`https://${name}.example/cb`],
    scopes: ['scripts:read', 'scripts:embed', 'profile'],
    scope_reasons: { profile: `For ${name}.` },
  })
  tour.name(app.id, `app_${name}`)
  tour.name(app.client_id, `cli_${name}`)
  world.clock.advance(MINUTE)
  return app.id
}

const COUNTER = {
  name: 'Counter',
  type: 'Analytics',
  placement: 'HTML Head',
  code: '<script>count("{{site}}")</script>',
  parameters: { site: 'harbour', rate: 2.5, on: true, none: null },
  parameter_formats: { site: 'text' },
}

test('Answers, rows and messages of scripts, versions and reviews are those that are recorded.', async () => {
  await definitions()
  await refusals()
  await trials()
  await reviews()
  await lists()
  await laterVersions()
  await suspensions()
  await gallery()
  await directory()
  expectRecorded('developer/versions.txt', tour.text())
})

async function definitions(): Promise<void> {
  const at = `${APPS}/${tides}/scripts`
  tour.heading('Scripts of an app in development')
  await tour.ask('None.', 'outsider', `GET ${at}`)
  await tour.ask('A script of another app.', 'owner', `POST ${APPS}/${buoys}/scripts`, { ...COUNTER, name: 'Theirs' })
  await tour.ask('One with everything.', 'outsider', `POST ${at}`, { ...COUNTER, name: '  Counter ' })
  world.clock.advance(MINUTE)
  const badge = { name: 'Badge', type: 'Essential', placement: 'HTML Body start', code: '<b>Hi</b>' }
  await tour.ask('One without parameters, by another of the team.', 'member', `POST ${at}`, badge)
  const ads = { name: 'Ads', type: 'Advertising', placement: 'HTML Body end', code: '<p>{{text}}</p>' }
  await tour.ask('One with markup.', 'outsider', `POST ${at}`, {
    ...ads,
    parameters: { text: '<i>Buy</i>' },
    parameter_formats: { text: 'html' },
  })
  await tour.ask('One that is removed later.', 'outsider', `POST ${at}`, { ...ads, name: 'Fourth', type: 'Functional' })
  await tour.changes()
  world.clock.advance(MINUTE)
  await tour.ask('A new name.', 'outsider', `PATCH ${at}/3`, { name: ' Badge of honor ' })
  await tour.ask('A new code and place.', 'member', `PATCH ${at}/3`, {
    code: '<b>{{who}}</b>',
    placement: 'HTML Body end',
    type: 'Functional',
  })
  await tour.ask('Parameters alone.', 'outsider', `PATCH ${at}/3`, { parameters: { who: 'Ada' } })
  await tour.ask('Formats alone.', 'outsider', `PATCH ${at}/3`, { parameter_formats: { who: 'html' } })
  await tour.ask('Nothing.', 'outsider', `PATCH ${at}/3`, {})
  await tour.changes()
  await tour.ask('All, as they were made.', 'editor', `GET ${at}`)
  await tour.ask('One.', 'member', `GET ${at}/2`)
  await tour.ask('One of another app.', 'outsider', `GET ${at}/1`)
  await tour.ask('Removed while in development.', 'outsider', `DELETE ${at}/5`, {})
  await tour.ask('It is gone.', 'outsider', `GET ${at}/5`)
  await tour.ask('A reviewer reads.', 'editor', `GET ${at}/2`)
  await tour.ask('A reviewer makes none.', 'editor', `POST ${at}`, COUNTER)
  await tour.ask('A reviewer changes none.', 'editor', `PATCH ${at}/2`, { name: 'Mine' })
  await tour.ask('A reviewer removes none.', 'editor', `DELETE ${at}/2`, {})
  await tour.ask('Others see none.', 'owner', `GET ${at}`)
  await tour.ask('Nor one.', 'owner', `GET ${at}/2`)
  await tour.changes()
}

async function refusals(): Promise<void> {
  const at = `${APPS}/${tides}/scripts`
  const make = (sentence: string, more: object) =>
    tour.ask(sentence, 'outsider', `POST ${at}`, { ...COUNTER, parameters: {}, parameter_formats: {}, ...more })
  tour.heading('Scripts that are refused')
  await tour.ask('Nothing.', 'outsider', `POST ${at}`, {})
  await make('Wrong types.', { type: 'Other', placement: 'Head', parameter_formats: { a: 'css' }, code: 1, id: 7 })
  await make('A blank name.', { name: ' ' })
  await make('A name of 26 characters.', { name: 'n'.repeat(26) })
  await make('Blank code.', { code: ' \n' })
  await make('Code that stays open.', { code: '<div>{{a}}' })
  await make('Code with NUL.', { code: '<p>\0</p>' })
  await make('A placeholder behind a backslash.', { code: '<script>x = "\\{{a}}"</script>' })
  await make('Parameters that are a list.', { parameters: [1] })
  await make('A wrong key.', { parameters: { 'a b': 1 } })
  await make('A value that is a list.', { parameters: { a: [1] } })
  await make('A value of 2049 bytes.', { parameters: { a: `${'é'.repeat(1024)}x` } })
  await make('51 parameters.', { parameters: Object.fromEntries(many(51).map((n) => [`k${n}`, n])) })
  await make('A value that stays open.', { parameters: { site: '<b' }, parameter_formats: { site: 'html' } })
  await make('At the limits.', {
    name: 'é'.repeat(25),
    parameters: Object.fromEntries(many(50).map((n) => [`k${n}`, n])),
  })
  await tour.skip()
  await tour.quiet('outsider', `DELETE ${at}/6`, {})
  await tour.skip()
}

async function trials(): Promise<void> {
  const at = `${APPS}/${tides}/scripts/render`
  const render = (sentence: string, body: object, by: Person = 'outsider') => tour.ask(sentence, by, `POST ${at}`, body)
  tour.heading('Scripts that are tried')
  const code = '<p title="{{t}}">{{a}} {{b}} {{a}}</p><script>x = "{{a}}"</script>'
  await render('Without values.', { code })
  await render('With some.', { code, parameters: { a: 'A&"B"', t: '"' } }, 'member')
  await render('As markup.', { code, parameters: { a: '<i>A</i>', b: 1 }, parameter_formats: { a: 'html' } }, 'editor')
  await render('Open markup.', { code, parameters: { b: '<i', a: 1 }, parameter_formats: { b: 'html' } })
  await render('A value for a key without a placeholder.', {
    code,
    parameters: { z: '<i' },
    parameter_formats: { z: 'html' },
  })
  await render('Open code.', { code: '<p>a</p><div title="x">' })
  await render('A placeholder behind a backslash.', { code: '<script>x = "\\{{a}}"</script>' })
  await render('NUL.', { code: '<p>\0</p>' })
  await render('Nothing.', { code: '' })
  await render('Wrong parameters.', { code, parameters: 'x' })
  await render('Not an app of theirs.', { code }, 'owner')
}

async function reviews(): Promise<void> {
  const at = `${APPS}/${tides}/versions`
  tour.heading('Versions and reviews')
  world.clock.advance(MINUTE)
  await tour.ask('None.', 'outsider', `GET ${at}`)
  const listing = {
    tagline: 'Water',
    category: 'Sea',
    icon_url: 'https://tides.example/1.png',
    screenshots: ['https://a.b/1'],
  }
  await tour.quiet('outsider', `PUT ${APPS}/${tides}/listing`, listing)
  await tour.ask('The first, with notes.', 'outsider', `POST ${at}`, { notes: ' For a start.\nThat is all. ' })
  world.clock.advance(MINUTE)
  await tour.ask('The second, without, by another of the team.', 'member', `POST ${at}`, {})
  await tour.ask('Notes of 4001 characters.', 'member', `POST ${at}`, { notes: 'n'.repeat(4001) })
  await tour.changes()
  await tour.ask('The newest first.', 'editor', `GET ${at}`)
  await tour.ask('One with all that it holds.', 'editor', `GET ${at}/1`)
  await tour.ask('One of another app.', 'owner', `GET ${APPS}/${buoys}/versions/1`)
  await tour.ask('A reviewer makes none.', 'editor', `POST ${at}`, {})

  const submit = (sentence: string, version_id: number, by: Person = 'outsider', app_id = tides) =>
    tour.ask(sentence, by, `POST ${REVIEWS}`, { app_id, version_id })
  const decide = (sentence: string, id: number, verb: string, body: object = {}, by: Person = 'editor') =>
    tour.ask(sentence, by, `POST ${REVIEWS}/${id}/${verb}`, body)
  await submit('A version of another app.', 1, 'owner', buoys)
  await submit('By a reviewer.', 1, 'editor')
  await submit('By somebody else.', 1, 'owner')
  await tour.changes()
  await submit('The first is submitted.', 1, 'member')
  await tour.changes()
  await tour.ask('The app is under review.', 'outsider', `GET ${APPS}/${tides}`)
  await submit('It waits already.', 1)
  await submit('So does another.', 2)
  world.clock.advance(MINUTE)
  await decide('Its team does not approve it.', 1, 'approve', {}, 'outsider')
  await decide('Nor anybody else.', 1, 'reject', { comment: 'No.' }, 'owner')
  await decide('A reviewer does not withdraw it.', 1, 'withdraw')
  await decide('It is withdrawn.', 1, 'withdraw', {}, 'outsider')
  await tour.changes()
  await decide('Withdrawn already.', 1, 'withdraw', {}, 'member')
  await submit('The second.', 2)
  await decide('Changes without a word.', 2, 'request-changes', { comment: ' \n' })
  await decide('Rejected without a word.', 2, 'reject')
  await decide('Changes are asked for.', 2, 'request-changes', { comment: ' A shorter name, please. ' })
  await tour.changes()
  await submit('A rejected version.', 2)
  await submit('The first again.', 1)
  world.clock.advance(MINUTE)
  await decide('Rejected.', 3, 'reject', { comment: 'It is not for us.' })
  await tour.changes()
  await decide('Rejected already.', 3, 'approve')
  await decide('A request that there is not.', 99, 'approve')
  await tour.quiet('outsider', `PATCH ${APPS}/${tides}`, {
    redirect_uris: ['https://tides.example/1', 'https://tides.example/2'],
  })
  await tour.skip()
  await tour.ask('A third version.', 'outsider', `POST ${at}`, { notes: 'Third.' })
  await submit('It is submitted.', 3)
  world.clock.advance(MINUTE)
  await tour.quiet('outsider', `PATCH ${APPS}/${tides}`, {
    redirect_uris: ['https://tides.example/2'],
    scopes: ['scripts:embed'],
  })
  await tour.skip()
  await decide('Approved with a comment.', 4, 'approve', { comment: ' Well done. ' })
  await tour.changes()
  await tour.ask('The app is approved.', 'outsider', `GET ${APPS}/${tides}`)
  await tour.ask('Its versions.', 'member', `GET ${at}`)
}

async function lists(): Promise<void> {
  tour.heading('Requests')
  await tour.quiet('owner', `POST ${APPS}/${buoys}/versions`, {})
  await tour.quiet('owner', `POST ${REVIEWS}`, { app_id: buoys, version_id: 4 })
  await tour.skip()
  await tour.ask('All, for a reviewer.', 'editor', `GET ${REVIEWS}`)
  await tour.ask('Those of their apps, for a team.', 'member', `GET ${REVIEWS}`)
  await tour.ask('And for another.', 'owner', `GET ${REVIEWS}`)
  await tour.ask('None for somebody without apps.', 'administrator', `GET ${REVIEWS}`)
  for (const status of ['pending', 'approved', 'rejected', 'changes_requested', 'withdrawn', 'new'])
    await tour.ask(`Those that are ${status}.`, 'editor', `GET ${REVIEWS}?status=${status}`)
  await tour.ask('Two.', 'editor', `GET ${REVIEWS}?limit=2`)
  await tour.ask('Two before the fourth.', 'editor', `GET ${REVIEWS}?limit=2&before_id=4`)
  await tour.ask('None.', 'editor', `GET ${REVIEWS}?limit=0`)
  await tour.ask('One, for a reviewer.', 'editor', `GET ${REVIEWS}/5`)
  await tour.ask('One, for its team.', 'owner', `GET ${REVIEWS}/5`)
  await tour.ask('One, for another team.', 'outsider', `GET ${REVIEWS}/5`)
}

async function laterVersions(): Promise<void> {
  const at = `${APPS}/${tides}`
  tour.heading('Later versions')
  world.clock.advance(MINUTE)
  const token = await tour.token(tides, 'owner', 'scripts:embed scripts:read')
  for (const scriptId of [2, 3, 4])
    await tour.quiet({ token }, `POST /general/api/v1/scripts/embed`, { scriptId, project_id: world.project.public_id })
  await tour.quiet('outsider', `GET ${at}/requests`)
  await tour.skip()
  await tour.ask('A script that sites do not have yet.', 'outsider', `POST ${at}/scripts`, { ...COUNTER, name: 'New' })
  await tour.ask('Text that sites do not have yet.', 'outsider', `PATCH ${at}/scripts/3`, { code: '<u>{{who}}</u>' })
  await tour.ask('A script that goes.', 'outsider', `DELETE ${at}/scripts/4`, {})
  await tour.ask('A script that goes before sites had it.', 'outsider', `POST ${at}/scripts`, {
    ...COUNTER,
    name: 'Gone',
  })
  await tour.ask('It goes.', 'outsider', `DELETE ${at}/scripts/8`, {})
  await tour.ask('The scripts.', 'outsider', `GET ${at}/scripts`)
  await tour.changes()
  await tour.ask('A version that is not approved.', 'outsider', `POST ${at}/versions/1/rollback`, {})
  const renamed = { displayName: 'Tidings', description: 'News.', homepage: 'https://tidings.example' }
  await tour.quiet('outsider', `PATCH ${at}`, { ...renamed, scopes: ['scripts:embed', 'profile', 'scripts:read'] })
  await tour.ask('A fourth version.', 'outsider', `POST ${at}/versions`, {})
  await tour.ask('A draft.', 'outsider', `POST ${at}/versions/5/rollback`, {})
  const { review_request } = await tour.ask('It is submitted.', 'outsider', `POST ${REVIEWS}`, {
    app_id: tides,
    version_id: 5,
  })
  await tour.quiet('outsider', `PATCH ${at}`, { redirect_uris: ['https://tides.example/3'] })
  world.clock.advance(MINUTE)
  await tour.ask('And approved.', 'editor', `POST ${REVIEWS}/${review_request.id}/approve`, {})
  await tour.changes()
  await tour.ask('The scripts.', 'outsider', `GET ${at}/scripts`)
  world.clock.advance(MINUTE)
  await tour.ask('Back to the third, not by a reviewer.', 'editor', `POST ${at}/versions/3/rollback`, {})
  await tour.ask('Back to the third.', 'member', `POST ${at}/versions/3/rollback`, {})
  await tour.changes()
  await tour.ask('The app.', 'outsider', `GET ${at}`)
  await tour.ask('The versions.', 'outsider', `GET ${at}/versions`)
  await tour.ask('The third, with its contents.', 'outsider', `GET ${at}/versions/3`)
}

async function suspensions(): Promise<void> {
  const at = `${APPS}/${tides}`
  tour.heading('Suspension')
  world.clock.advance(MINUTE)
  await tour.ask('Not by its team.', 'outsider', `POST ${at}/suspend`, { comment: 'Why not?' })
  await tour.ask('Not without a reason.', 'editor', `POST ${at}/suspend`, { comment: ' ' })
  await tour.ask('It is not suspended.', 'editor', `POST ${at}/unsuspend`, {})
  await tour.ask('It is now.', 'editor', `POST ${at}/suspend`, { comment: ' It floods. ' })
  await tour.changes()
  await tour.ask('It is already.', 'editor', `POST ${at}/suspend`, { comment: 'Again.' })
  await tour.ask('Its team sees why.', 'member', `GET ${at}`)
  await tour.ask('Its team does not lift it.', 'outsider', `POST ${at}/unsuspend`, {})
  await tour.ask('The gallery does not show it.', null, `GET /general/apps/${tides}`)
  world.clock.advance(MINUTE)
  await tour.ask('It is lifted.', 'editor', `POST ${at}/unsuspend`, {})
  await tour.changes()
  await tour.ask('An app that there is not.', 'editor', `POST ${APPS}/app_none/suspend`, { comment: 'Why?' })
  const { store } = world.service.runtime
  const set = (disabled_at: number | null, revoked_at: number | null) =>
    store.write(async (tx) => {
      const { member, administrator } = world.users
      await tx
        .update(users)
        .set({ disabled_at })
        .where(inArray(users.id, [member, administrator]))
      await tx.update(authorizations).set({ revoked_at })
    })
  await set(1, null)
  await tour.quiet('editor', `POST ${at}/suspend`, { comment: 'Once more.' })
  tour.write('- Suspended while two of those who are told are disabled.')
  await tour.changes()
  await set(1, 1)
  await tour.quiet('editor', `POST ${at}/unsuspend`, {})
  tour.write('- Lifted when no project uses it any more.')
  await tour.changes()
  await set(null, null)
}

/** Three more approved apps, with listings of their own. */
async function gallery(): Promise<void> {
  tour.heading('Gallery')
  for (const [index, name] of ['Anchors', 'Boats', 'Charts'].entries()) {
    const app = await newApp(name, 'administrator')
    const category = ['Sea', ' SEA ', 'Maps'][index]!
    await tour.quiet('administrator', `PUT ${APPS}/${app}/listing`, { tagline: `The ${name} of all`, category })
    await approve(app, 'administrator')
  }
  await tour.skip()
  await tour.ask('All, the newest first.', null, 'GET /general/apps')
  const { next_cursor } = await tour.ask('Three.', null, 'GET /general/apps?limit=3')
  await tour.ask('The last.', null, `GET /general/apps?limit=3&cursor=${next_cursor}`)
  await tour.ask('By name.', null, 'GET /general/apps?search=BOA')
  await tour.ask('By tagline.', null, 'GET /general/apps?search=the%20an')
  await tour.ask('By category in the search.', null, 'GET /general/apps?search=map')
  await tour.ask('By category.', null, 'GET /general/apps?category=%20sea')
  await tour.ask('By both.', null, 'GET /general/apps?category=sea&search=water')
  await tour.ask('A cursor of another search.', null, `GET /general/apps?search=a&cursor=${next_cursor}`)
  await tour.ask('One with all that it tells.', null, `GET /general/apps/${tides}`)
  await tour.ask('One that is not approved.', null, `GET /general/apps/${buoys}`)
}

async function directory(): Promise<void> {
  const list = '/user/operator/apps/list'
  tour.heading('Apps, as operators see them')
  await tour.quiet('editor', `POST ${APPS}/${buoys}/suspend`, { comment: 'Too early.' })
  await tour.token(tides, 'owner', 'profile', [world.project.id, world.other.id])
  await tour.token(tides, 'member', 'profile')
  await tour.skip()
  await tour.ask('All, the newest first.', 'editor', `POST ${list}`, {})
  const { next_cursor } = await tour.ask('Four.', 'editor', `POST ${list}`, { limit: 4 })
  await tour.ask('Those after them.', 'editor', `POST ${list}`, { limit: 4, cursor: next_cursor })
  const of = (items: any[]) => items.map(({ displayName }) => displayName).join(', ')
  for (const filter of [
    ...[{ search: 'BO' }, { search: ' owner@ ' }, { status: 'approved' }, { status: 'development' }],
    ...[{ status: 'in_review' }, { status: 'rejected' }, { suspended: true }, { suspended: false }],
    ...[{ waiting: true }, { waiting: false }, { waiting: false, status: 'approved', search: 'a' }],
  ])
    tour.write(`  ${JSON.stringify(filter)}: ${of((await tour.quiet('editor', `POST ${list}`, filter)).items)}`)
  await tour.ask('Nothing to search for.', 'editor', `POST ${list}`, { search: '' })
  await tour.ask('A cursor of another filter.', 'editor', `POST ${list}`, { status: 'approved', cursor: next_cursor })
  await tour.ask('For operators only.', 'owner', `POST ${list}`, {})
}

async function approve(app_id: string, by: Person): Promise<void> {
  const { version } = await tour.quiet(by, `POST ${APPS}/${app_id}/versions`, {})
  const { review_request } = await tour.quiet(by, `POST ${REVIEWS}`, { app_id, version_id: version.id })
  await tour.quiet('editor', `POST ${REVIEWS}/${review_request.id}/approve`, {})
}

function many(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}
