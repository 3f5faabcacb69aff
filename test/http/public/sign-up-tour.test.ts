import { eq } from 'drizzle-orm'
import { beforeAll, test } from 'bun:test'
import { projects } from '../../../src/store/tables/accounts.ts'
import { declaredRoutes } from '../../../src/http/routes.ts'
import { expectRecorded } from '../../support/recorded.ts'
import { type PeopleTour, tourOfPeople } from '../../newsletter/people-tour.ts'
import { createSiteWorld, type SiteWorld } from '../site-world.ts'

let world: SiteWorld
let tour: PeopleTour
beforeAll(async () => {
  world = await createSiteWorld()
  tour = tourOfPeople(world)
})

const [OPEN, ASKING, PRIVATE, ARCHIVED, THEIRS] = [1, 2, 3, 4, 5]
const SIGN_UP = '/general/newsletter/signup'

test('How strangers sign up, and what forms ask them, is what is recorded.', async () => {
  routes()
  await prepare()
  await forms()
  await throughForms()
  await bodies()
  await plainly()
  await entries()
  await dressed()
  expectRecorded('people/sign-up.txt', tour.text())
})

const OF_PEOPLE =
  /^\/general\/newsletter\/(confirm|unsubscribe|preferences|own-link|signup|forms)|\/form\/|sign-up-forms/

/** What routes declare beside their schemas and words. */
function routes(): void {
  tour.heading('Routes')
  for (const route of declaredRoutes()) {
    if (!OF_PEOPLE.test(route.path)) continue
    const { methods, path, auth, cost, role, project, max_body, status, errors, audit, response } = route
    const type = typeof response === 'string' ? response : ''
    tour.write(
      `${methods.join(' ')} ${path}`,
      `  ${JSON.stringify([auth, role, project, cost, status, max_body, audit, type])}`,
      `  ${[...errors].sort().join(' ')}`,
    )
  }
}

async function prepare(): Promise<void> {
  for (const [name, more] of [
    ['Open', {}],
    ['Asking', { double_opt_in: true }],
    ['Private', { public: false }],
    ['Archived', {}],
  ] as const)
    await world.ok('lists/create', { name, ...more })
  await world.ok('lists/update', { list_id: ARCHIVED, archived: true })
  await world.ok('lists/create', { name: 'Open' }, { as: world.keys.other })
  for (const [key, type] of [
    ['boat', 'text'],
    ['length', 'number'],
    ['crew', 'boolean'],
    ['born', 'date'],
  ] as const)
    await world.ok('custom-fields/create', { key, label: `The ${key}`, type })
  await world.ok('custom-fields/create', { key: 'size', label: 'Size', type: 'select', options: ['S', 'M & L'] })
  await tour.skip()
}

let made: string[] = []

async function forms(): Promise<void> {
  tour.heading('Forms')
  const call = async (
    sentence: string,
    action: string,
    body: object = {},
    role: 'editor' | 'member' | 'outsider' = 'editor',
  ) => {
    world.clock.advance(1000)
    const { status, body: answer } = await world.as(role, `/project/sign-up-forms/${action}`, { ...body })
    // Its page shows a changed form.
    const told = action === 'update' && answer.form ? { form: { ...answer.form, embed_html: undefined } } : answer
    tour.write(`- ${sentence}`, `  ${action} ${JSON.stringify(body)} as ${role}`, `  ${status} ${JSON.stringify(told)}`)
    return answer.form?.id as string
  }
  const least = { name: 'Least', title: 'Join', consent_text: 'Yes.', list_ids: [OPEN] }
  const first = await call('A form with what it needs.', 'create', least)
  const whole = await call('A form with everything.', 'create', {
    name: ' Whole ',
    title: ' Join & sail ',
    text: 'Above.\nTwice.',
    consent_text: 'First wording.\nIn two lines.',
    list_ids: [ASKING, PRIVATE],
    fields: [
      { field: 'first_name', required: true },
      { field: 'last_name', label: 'Family' },
      { field: 'custom.boat', label: 'Your boat' },
      { field: 'custom.length', required: true },
      { field: 'custom.crew', required: false },
      { field: 'custom.born' },
      { field: 'custom.size', label: '' },
    ],
    button: 'Aboard',
    thanks_text: 'Thanks!',
    redirect_url: '',
  })
  const third = await call('A form that leads away.', 'create', {
    ...least,
    name: 'Away',
    redirect_url: 'https://ä.example/b?c#d',
  })
  made = [first, whole, third]
  await call('A member may not.', 'create', least, 'member')
  await call('Somebody else.', 'list', {}, 'outsider')
  await call('Lists that are none.', 'create', { ...least, list_ids: [OPEN, ARCHIVED, THEIRS] })
  await call('Fields that are none.', 'create', {
    ...least,
    fields: [{ field: 'first_name' }, { field: 'custom.none' }, { field: 'custom.boat' }, { field: 'first_name' }],
  })
  await call('Nothing that fits.', 'create', {
    name: ' ',
    title: '',
    consent_text: '',
    list_ids: [],
    redirect_url: 'ftp://x',
  })
  await tour.changes()
  await call('Nothing changes.', 'update', { form_id: first })
  await call('The same wording.', 'update', {
    form_id: first,
    consent_text: 'Yes.',
    name: ' Less ',
    title: ' Join us ',
  })
  await call('Another wording.', 'update', { form_id: whole, consent_text: 'Second wording.' })
  await call('Other fields and lists.', 'update', {
    form_id: third,
    fields: [{ field: 'custom.size', required: true }],
    list_ids: [OPEN, ASKING],
  })
  await call('A list that is none.', 'update', { form_id: third, list_ids: [THEIRS] })
  await call('No form.', 'update', { form_id: 'frm_none', title: 'Mine' })
  await tour.changes()
  const { body } = await world.as('member', '/project/sign-up-forms/list')
  tour.write(`list as member: ${JSON.stringify(body.forms.map(({ id, name, version }: any) => [id, name, version]))}`)
}

const page = (sentence: string, path: string) => tour.visit(sentence, path)
const submit = (sentence: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  tour.visit(sentence, SIGN_UP, {
    method: 'POST',
    body: new URLSearchParams({ project_id: world.project.public_id, ...fields }).toString(),
    headers,
  })
const send = (sentence: string, body: object, headers: Record<string, string> = {}) =>
  tour.visit(sentence, SIGN_UP, {
    method: 'POST',
    body: JSON.stringify({ project_id: world.project.public_id, ...body }),
    headers: { 'Content-Type': 'application/json', ...headers },
  })

async function throughForms(): Promise<void> {
  tour.heading('Pages of forms, and who signs up on them')
  const [first = '', whole = '', third = ''] = made
  for (const id of made) await page('The page of a form.', `/general/newsletter/forms/${id}`)
  await page('No form.', '/general/newsletter/forms/frm_none')
  await submit('With an address alone.', { form_id: first, email: 'ada@example.org', first_name: 'Ada' })
  const filled = { first_name: ' Bob ', last_name: '', 'custom_fields[boat]': 'Fram', 'custom_fields.length': '39.5' }
  await submit('With everything.', {
    form_id: whole,
    form_version: '1',
    email: 'bob@example.org',
    ...filled,
    'custom_fields[crew]': 'on',
    'custom_fields[born]': '1892-10-26',
    'custom_fields[size]': 'M & L',
  })
  await submit('With the newest wording.', {
    form_id: whole,
    email: 'cleo@example.org',
    first_name: 'C',
    'custom_fields[length]': '0',
  })
  await submit('On the way elsewhere.', { form_id: third, email: 'dan@example.org', 'custom_fields[size]': 'S' })
  await tour.changes()
  await send('Required answers are missing.', { form_id: whole, email: 'eve@example.org', first_name: ' ' })
  await send('Lists beside a form.', { form_id: first, email: 'eve@example.org', list_ids: [OPEN] })
  await send('Words beside a form.', { form_id: first, email: 'eve@example.org', consent_text: 'Mine.' })
  await send('No form.', { form_id: 'frm_none', email: 'eve@example.org' })
  await send('No such wording.', { form_id: first, form_version: 2, email: 'eve@example.org' })
  await send("A neighbor's form.", { form_id: first, email: 'eve@example.org', project_id: world.other.public_id })
  await world.ok('lists/update', { list_id: OPEN, archived: true })
  await send('Its lists are closed.', { form_id: first, email: 'eve@example.org' })
  await page('Its lists are closed.', `/general/newsletter/forms/${first}`)
  await world.ok('lists/update', { list_id: OPEN, archived: false })
  await world.edit('/project/sign-up-forms/delete', { form_id: first })
  await send('It was deleted.', { form_id: first, email: 'eve@example.org' })
  await tour.changes()
}

async function plainly(): Promise<void> {
  tour.heading('Without a form')
  const consent_text = 'I agree.'
  await send('An address.', { email: 'fay@example.org', consent_text })
  await send('Everything.', {
    email: 'gus@example.org',
    consent_text,
    list_ids: [ASKING, OPEN],
    first_name: 'Gus',
    last_name: 'Grey',
    custom_fields: { boat: 'Gjøa', crew: false },
  })
  await send('Known: only what is empty is filled.', {
    email: 'GUS@example.org',
    consent_text: 'Again.',
    list_ids: [OPEN],
    first_name: 'Other',
    custom_fields: { boat: 'Maud', length: 21 },
  })
  await submit('A form, as a browser sends it.', {
    email: 'hal@example.org',
    consent_text,
    'list_ids[]': String(OPEN),
    'custom_fields.crew': 'no',
    'custom_fields.length': '-7',
    website: '',
    button: 'x',
  })
  await tour.changes()
  await send('A bot.', { email: 'bot@example.org', consent_text, website: 'https://bot.example' })
  await send('No words.', { email: 'ian@example.org' })
  await send('A private list.', { email: 'ian@example.org', consent_text, list_ids: [OPEN, PRIVATE] })
  await send('An archived list.', { email: 'ian@example.org', consent_text, list_ids: [ARCHIVED] })
  await send("A neighbor's list.", { email: 'ian@example.org', consent_text, list_ids: [THEIRS] })
  await send('A value that does not fit.', {
    email: 'ian@example.org',
    consent_text,
    custom_fields: { length: 'x', none: 1 },
  })
  await send('No address.', { email: 'ian', consent_text })
  await send('No project.', { email: 'ian@example.org', consent_text, project_id: 'prj_none' })
  await submit('No address, in a form.', { email: 'ian', consent_text })
  await submit('A form that wants JSON.', { email: 'ian', consent_text }, { Accept: 'application/json' })
  await tour.visit('No body of a form.', SIGN_UP, {
    method: 'POST',
    body: 'x',
    headers: { 'Content-Type': 'text/plain' },
  })
  await tour.changes()
  for (const return_url of [
    '/thanks',
    'https://harbour.example/thanks?a=1#b',
    'http://www.harbour.example/',
    'https://ada@harbour.example/',
    'https://evil.example/',
    'javascript:alert(1)',
    `${world.url}/sites/${world.project.slug}/page`,
    `${world.url}/sites/${world.other.slug}/page`,
  ])
    await submit('Back to where it came from.', { email: 'hal@example.org', consent_text, return_url })
  const origins = [
    'https://harbour.example',
    'http://www.harbour.example',
    'https://harbour.example:8443',
    'null',
    'https://evil.example',
  ]
  for (const Origin of origins) {
    await send('From a page.', { email: 'hal@example.org', consent_text }, { Origin })
    await tour.visit('Asked beforehand.', SIGN_UP, { method: 'OPTIONS', headers: { Origin } })
  }
  await world.service.runtime.store.write((tx) =>
    tx.update(projects).set({ contact_limit: 3 }).where(eq(projects.id, world.project.id)),
  )
  await send('A full plan, of which nothing is told.', { email: 'jim@example.org', consent_text })
  await tour.changes()
}

/** The ways in which a body can be sent, and be wrong. */
async function bodies(): Promise<void> {
  tour.heading('Bodies')
  const consent_text = 'I agree.'
  const boundary = { 'Content-Type': 'multipart/form-data; boundary=x' }
  const parts = (fields: Record<string, string>, more = '') =>
    Object.entries({ project_id: world.project.public_id, consent_text, ...fields })
      .map(([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join('') + `${more}--x--\r\n`
  const post = (sentence: string, body: string, headers: Record<string, string>) =>
    tour.visit(sentence, SIGN_UP, { method: 'POST', body, headers: { Accept: 'application/json', ...headers } })
  await post('In parts.', parts({ email: 'pia@example.org', first_name: 'Pia', list_ids: String(OPEN) }), boundary)
  const file = '--x\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\n\r\npng\r\n'
  await post('With a file.', parts({ email: 'quin@example.org' }, file), boundary)
  await post('In parts that are broken.', '--y\r\n', boundary)
  await post('Of another type.', 'x', { 'Content-Type': 'text/plain' })
  await post('JSON that is broken.', '{', { 'Content-Type': 'application/json' })
  const form = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' }
  const fields = new URLSearchParams({ project_id: world.project.public_id, email: 'roy@example.org', consent_text })
  await post(
    'Words in lines, a choice of lists, and an empty address before another.',
    `${fields}%0D%0ATwo%0DThree&list_ids=&list_ids=${OPEN}&list_ids=x`,
    form,
  )
  await post(
    'A field twice, of which the last counts.',
    `${fields}%0D%0ATwo%0DThree&first_name=A&first_name=Roy&custom_fields[]=1&custom_fields[boat]=`,
    form,
  )
  await post('A thousand fields.', `${fields}${'&a=1'.repeat(997)}`, form)
  await post('One more.', `${fields}${'&a=1'.repeat(998)}`, form)
  for (const size of [65_536, 65_537])
    await post('As large as a form may be, and larger.', `${fields}&x=`.padEnd(size, 'x'), form)
  for (const website of [null, '', 0, false, 'x'])
    await send('The field for bots.', { email: 'bot@example.org', consent_text, website })
  await tour.changes()
  for (const [at, text] of ['true', 'on', '1', 'yes', 'false', '0', 'no', 'maybe', ' true'].entries()) {
    const email = `truth-${at}@example.org`
    const filled = { project_id: world.project.public_id, email, consent_text, 'custom_fields[crew]': text }
    const { status } = await world.fetch(SIGN_UP, { method: 'POST', body: new URLSearchParams(filled) })
    const { body } = await world.call('contacts/get', { email })
    tour.write(`a truth as "${text}": ${status} ${JSON.stringify(body.data?.contact.custom_fields)}`)
  }
  await tour.skip()
}

/** A form in another language, with colors, and where the project asks for a proof of work. */
async function dressed(): Promise<void> {
  tour.heading('Dressed forms')
  await world.ok('settings/update', { locale: 'fr', brand_color: '#102030', logo_url: 'https://harbour.example/l.png' })
  await page('In another language.', `/general/newsletter/forms/${made[1]}`)
  await submit('Thanks in another language.', {
    form_id: made[1]!,
    email: 'bob@example.org',
    first_name: 'B',
    'custom_fields[length]': '1',
  })
  await submit('A refusal in another language.', { email: 'bob' })
  const { status } = await world.as('administrator', '/project/site-settings/update', { proof_of_work: true })
  tour.write(`asked for a proof of work: ${status}`)
  await page('With a proof of work.', `/general/newsletter/forms/${made[1]}`)
  await submit('Without the proof.', { form_id: made[1]!, email: 'sam@example.org' }, { Accept: 'application/json' })
  await submit(
    'With another.',
    { form_id: made[1]!, email: 'sam@example.org', altcha: 'x' },
    { Accept: 'application/json' },
  )
  await tour.changes()
}

/** Website forms may carry a consent. */
async function entries(): Promise<void> {
  tour.heading('With an entry of a website form')
  await world.service.runtime.store.write((tx) =>
    tx.update(projects).set({ contact_limit: null }).where(eq(projects.id, world.project.id)),
  )
  const entry = (sentence: string, newsletter: object) =>
    tour.visit(sentence, '/general/project/form/entry', {
      method: 'POST',
      body: JSON.stringify({ project_id: world.project.public_id, form: 'contact', fields: { a: 'b' }, newsletter }),
      headers: { 'Content-Type': 'application/json' },
    })
  await entry('Somebody new.', { email: 'kim@example.org', list_ids: [ASKING], consent_text: 'And news.' })
  await entry('A private list.', { email: 'lou@example.org', list_ids: [OPEN, PRIVATE], consent_text: 'And news.' })
  await tour.changes()
}
