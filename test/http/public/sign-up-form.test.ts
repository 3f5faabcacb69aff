import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { embeddedForm, pageForm } from '../../../src/http/public/sign-up-form.ts'
import type { ProjectId } from '../../../src/ids.ts'
import { createConfirmationToken } from '../../../src/newsletter/tracking/tokens.ts'
import { createSiteWorld, type SiteWorld } from '../site-world.ts'

const SIGNUP = '/general/newsletter/signup'

let world: SiteWorld
let weekly: number
let form: any
beforeAll(async () => {
  world = await createSiteWorld()
  weekly = (await world.ok('lists/create', { name: 'Weekly', public: false })).list.id
  await world.ok('custom-fields/create', { key: 'town', label: 'Town', type: 'select', options: ['Kiel', 'Bergen'] })
  await world.ok('custom-fields/create', { key: 'age', label: 'Age', type: 'number' })
  await world.ok('settings/update', {
    brand_color: '#0b5a6e',
    logo_url: 'https://pictures.example/logo.png',
    locale: 'de',
  })
  form = (
    await world.edit('/project/sign-up-forms/create', {
      name: 'Footer',
      title: 'Der <Wochenbrief>',
      text: 'Jeden Freitag.',
      consent_text: 'Ja, schickt mir den Wochenbrief.\nIch kann jederzeit gehen.',
      list_ids: [weekly],
      fields: [
        { field: 'first_name', required: true },
        { field: 'custom.town', label: 'Ort' },
      ],
      thanks_text: 'Bis Freitag!',
    })
  ).form
})
afterAll(() => world.close())

const open = (id: string) => world.fetch(`/general/newsletter/forms/${id}`)
const post = (fields: Record<string, string>, init: RequestInit = {}) =>
  world.fetch(SIGNUP, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual', ...init })
/** The fields of a form's HTML, with the values that it has. */
function fieldsOf(page: string): Record<string, string> {
  const fields: Record<string, string> = {}
  new HTMLRewriter()
    .on('form input, form select', {
      element(field) {
        fields[field.getAttribute('name')!] = field.getAttribute('value') ?? ''
      },
    })
    .transform(page)
  return fields
}
const contact = async (email: string) => world.ok('contacts/get', { email })

test('The page of a form shows the project and what is asked, in its language and without a script.', async () => {
  const response = await open(form.id)
  const page = await response.text()
  expect([response.status, form.url]).toEqual([200, `${world.url}/general/newsletter/forms/${form.id}`])
  const policy = response.headers.get('content-security-policy')!
  for (const part of ["script-src 'none'", "img-src 'self' https://pictures.example", "form-action 'self';"])
    expect(policy).toContain(part)
  expect(page).toContain('<header><img src="https://pictures.example/logo.png" alt="Harbour News"></header>')
  for (const part of [
    '<html lang="de">',
    '<img src="https://pictures.example/logo.png" alt="Harbour News">',
    '--brand:#0b5a6e',
    'Der &lt;Wochenbrief&gt;',
    'Jeden Freitag.',
    'Ja, schickt mir den Wochenbrief.<br>Ich kann jederzeit gehen.',
    '>Vorname</label>',
    '<option>Bergen</option>',
    '>Abonnieren</button>',
    '<p class="trap" aria-hidden="true"><label>Website <input name="website" tabindex="-1"',
  ])
    expect(page).toContain(part)
  expect(page).not.toContain('<script')
  expect(Object.keys(fieldsOf(page))).toEqual([
    ...['project_id', 'form_id', 'form_version', 'website', 'email', 'first_name', 'custom_fields[town]'],
  ])
})

test('The page of a form signs a person up, with the wording that was shown and the form as evidence.', async () => {
  const fields = fieldsOf(await (await open(form.id)).text())
  const filled = { ...fields, email: 'ada@harbour.example', first_name: 'Ada', 'custom_fields[town]': 'Kiel' }
  const answer = await post(filled)
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Bis Freitag!')])
  const { contact: ada, consents } = await contact('ada@harbour.example')
  expect([ada.first_name, ada.custom_fields, ada.lists.map((one: any) => [one.list_id, one.status])]).toEqual([
    'Ada',
    { town: 'Kiel' },
    [[weekly, 'subscribed']],
  ])
  expect(consents).toMatchObject([
    {
      list_id: weekly,
      action: 'given',
      text: 'Ja, schickt mir den Wochenbrief.\nIch kann jederzeit gehen.',
      source: `sign-up form "Footer" (${form.id}, wording 1)`,
      ip: '127.0.0.1',
    },
  ])
})

test('A pasted copy keeps the wording that it shows when the form gets another one.', async () => {
  const { form: made } = await world.edit('/project/sign-up-forms/create', {
    ...{ name: 'Old', title: 'Old', consent_text: 'First wording.', list_ids: [weekly] },
  })
  const pasted = fieldsOf(made.embed_html)
  const { form: changed } = await world.edit('/project/sign-up-forms/update', {
    form_id: made.id,
    consent_text: 'Second wording.',
  })
  expect([changed.version, changed.consent_text]).toEqual([2, 'Second wording.'])
  await post({ ...pasted, email: 'old@harbour.example' })
  await post({ ...fieldsOf(changed.embed_html), email: 'new@harbour.example' })
  const wordings = ['old', 'new'].map(async (who) => (await contact(`${who}@harbour.example`)).consents[0].text)
  expect(await Promise.all(wordings)).toEqual(['First wording.', 'Second wording.'])
  const same = await world.edit('/project/sign-up-forms/update', { form_id: made.id, title: 'New' })
  expect([same.form.version, same.form.title]).toEqual([2, 'New'])
})

test('The page of a form leads to the address of its owner afterwards.', async () => {
  const redirect_url = 'https://elsewhere.example/thanks?from=form'
  const { form: made } = await world.edit('/project/sign-up-forms/create', {
    ...{ name: 'Away', title: 'Away', consent_text: 'Yes.', list_ids: [weekly], redirect_url },
  })
  const answer = await post({ ...fieldsOf(made.embed_html), email: 'bo@harbour.example' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, redirect_url])
  const policyOf = async (id: string) => (await open(id)).headers.get('content-security-policy')
  expect(await policyOf(made.id)).toContain("form-action 'self' https://elsewhere.example;")
  const strange = { form_id: made.id, redirect_url: 'https://elsewhere.example;sandbox/Ω' }
  await world.edit('/project/sign-up-forms/update', strange)
  const thanked = await post({ ...fieldsOf(made.embed_html), email: 'cy@harbour.example' })
  expect([thanked.status, thanked.headers.get('location')]).toEqual([
    ...[303, 'https://elsewhere.example;sandbox/%CE%A9'],
  ])
  expect(await policyOf(made.id)).toContain("form-action 'self';")
})

test('The page of a form has the widget of the proof of work where the project asks for it.', async () => {
  await world.as('administrator', '/project/site-settings/update', { proof_of_work: true })
  const response = await open(form.id)
  expect(response.headers.get('content-security-policy')).toContain("script-src 'self'")
  const page = await response.text()
  for (const part of ['<script src=', '<altcha-widget challenge=']) expect(page).toContain(part)
  await world.as('administrator', '/project/site-settings/update', { proof_of_work: false })
})

test('The page of a form ends with the form, and with its last list.', async () => {
  const { list } = await world.ok('lists/create', { name: 'Ends' })
  const { form: made } = await world.edit('/project/sign-up-forms/create', {
    ...{ name: 'Ends', title: 'Ends', consent_text: 'Yes.', list_ids: [list.id] },
  })
  const fields = { ...fieldsOf(made.embed_html), email: 'late@harbour.example' }
  await world.ok('lists/update', { list_id: list.id, archived: true })
  expect([(await open(made.id)).status, (await post(fields)).status]).toEqual([410, 400])
  await world.edit('/project/sign-up-forms/delete', { form_id: made.id })
  expect([(await open(made.id)).status, (await post(fields)).status, (await open('frm_x')).status]).toEqual([
    404, 400, 404,
  ])
  expect((await world.call('contacts/get', { email: 'late@harbour.example' })).status).toBe(404)
})

describe('a signup through a form', () => {
  const json = async (body: object) => {
    const response = await world.fetch(SIGNUP, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ project_id: world.project.public_id, email: 'c@harbour.example', ...body }),
    })
    return [response.status, ((await response.json()) as { message?: string }).message]
  }

  test('A signup takes lists and wording from the form only, and answers only what it asks.', async () => {
    const form_id = form.id
    const named = { form_id, first_name: 'Cy' }
    for (const [body, path] of [
      [{}, 'consent_text'],
      [{ ...named, list_ids: [weekly] }, 'list_ids'],
      [{ ...named, consent_text: 'Anything.' }, 'consent_text'],
      [{ form_id }, 'first_name'],
      [{ ...named, form_version: 2 }, 'form_version'],
      [{ ...named, form_id: 'frm_unknown' }, 'form_id'],
    ] as const)
      expect(await json(body)).toEqual([400, expect.stringContaining(path)])
    expect((await json({ ...named, last_name: 'Holm', custom_fields: { age: 7, town: 'Bergen' } }))[0]).toBe(202)
    const { contact: cy } = await contact('c@harbour.example')
    expect([cy.full_name, cy.custom_fields]).toEqual(['Cy', { town: 'Bergen' }])
  })

  test('A signup through a form does not reach a form of another project.', async () => {
    const body = { project_id: world.other.public_id, form_id: form.id, first_name: 'Cy' }
    expect((await json(body))[0]).toBe(400)
  })
})

test('Forms are listed for members and changed by editors, and each flaw is named.', async () => {
  const { forms } = (await world.as('member', '/project/sign-up-forms/list')).body
  expect(forms[0]).toEqual(form)
  const body = { name: 'x', title: 'x', consent_text: 'x', list_ids: [weekly] }
  expect((await world.as('member', '/project/sign-up-forms/create', body)).status).toBe(403)
  for (const [flaw, at] of [
    [{ list_ids: [999] }, 'list_ids'],
    [{ fields: [{ field: 'custom.none' }] }, 'fields.0.field'],
    [{ fields: [{ field: 'first_name' }, { field: 'first_name' }] }, 'fields.1.field'],
    [{ redirect_url: 'javascript:alert(1)' }, 'redirect_url'],
    [{ consent_text: ' ' }, 'consent_text'],
  ] as const) {
    const refused = await world.as('editor', '/project/sign-up-forms/create', { ...body, ...flaw })
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining(at)])
  }
  for (const path of ['update', 'delete'])
    expect((await world.as('editor', `/project/sign-up-forms/${path}`, { form_id: 'frm_none' })).status).toBe(404)
})

describe('the HTML of a form', () => {
  const FORM = {
    ...{ id: 'frm_1', project_id: 1 as ProjectId, name: 'Footer', title: 'News', text: '', list_ids: [1] },
    ...{ button: '', thanks_text: '', redirect_url: '', created_at: 0, updated_at: 0 },
    wordings: ['Earlier.', 'First line.\r\nSecond & last.'],
    fields: [
      { field: 'first_name', label: '', required: true },
      { field: 'last_name', label: 'Family', required: false },
      { field: 'custom.town', label: '', required: true },
      { field: 'custom.age', label: 'Years', required: false },
      { field: 'custom.club', label: '', required: true },
      { field: 'custom.gone', label: '', required: true },
    ],
  }
  const CUSTOM = [
    { key: 'town', label: 'Town', type: 'select' as const, options: '["Kiel","Åre"]' },
    { key: 'age', label: 'Age', type: 'number' as const, options: null },
    { key: 'club', label: 'Club', type: 'boolean' as const, options: null },
    { key: 'else', label: 'Else', type: 'text' as const, options: null },
  ]
  const drawing = (proof_of_work: boolean, form = FORM) => ({
    base_url: 'https://masthead.example',
    project: { public_id: 'prj_1', locale: 'en', proof_of_work },
    form,
    custom: CUSTOM,
  })

  test('The HTML of a form asks what its owner chose, in their words or the usual ones.', () => {
    const text = embeddedForm(drawing(false))
    for (const part of [
      'action="https://masthead.example/general/newsletter/signup"',
      'name="form_version" value="2"',
      'for="frm_1-first_name">First name',
      'for="frm_1-last_name">Family',
      'for="frm_1-town">Town',
      '<select id="frm_1-town" name="custom_fields[town]" required><option value=""></option>' +
        '<option>Kiel</option><option>Åre</option></select>',
      '<input id="frm_1-age" name="custom_fields[age]" type="number" step="any">',
      'First line.<br>Second &amp; last.',
    ])
      expect(text).toContain(part)
    expect(text).toMatch(/name="first_name" maxlength="100" autocomplete="given-name"\s+required>/)
    expect(text).toMatch(/name="last_name" maxlength="100" autocomplete="family-name"\s*>/)
    expect(text).toMatch(/name="custom_fields\[club\]" type="checkbox" value="true" required> Club/)
    expect(text).not.toMatch(/Earlier|gone|else/)
    expect(text.match(/<button>([^<]+)/)![1]).not.toBe('Join')
    expect(embeddedForm(drawing(false, { ...FORM, button: 'Join' }))).toContain('<button>Join</button>')
  })

  test('The HTML of a form loads the widget only for a project that asks for a proof of work.', () => {
    for (const draw of [embeddedForm, (given: ReturnType<typeof drawing>) => pageForm(given).text]) {
      expect(draw(drawing(false))).not.toMatch(/altcha|<script/)
      const text = draw(drawing(true))
      expect(text).toMatch(/^<script src="https:\/\/masthead\.example\/assets\/public\/altcha[^"]*\.js[^"]*" defer>/)
      expect(text).toContain(
        'challenge="https://masthead.example/general/project/form/challenge?project_id=prj_1"></altcha-widget>',
      )
    }
  })
})

test('A page of thanks leads to the site and to the letters, where there are any.', async () => {
  const list_id = (await world.ok('lists/create', { name: 'Monthly', double_opt_in: true })).list.id
  const signUp = async (email: string) => {
    const fields = { project_id: world.project.public_id, email, list_ids: String(list_id), consent_text: 'Ja.' }
    return (await post(fields)).text()
  }
  expect(await signUp('first@harbour.example')).not.toContain('<a ')
  await world.edit('/project/pages/create', { path: '/', title: 'Home', html: '<p>Home</p>', published: true })
  await world.edit('/project/letters/settings/update', { list_ids: [list_id] })
  const links =
    '<p><a href="https://harbour.example/letters/">Gesendete Briefe</a> <a href="https://harbour.example/"><bdi>'
  const email = 'second@harbour.example'
  expect(await signUp(email)).toContain(links)
  const { contact: person } = await contact(email)
  const token = createConfirmationToken(world.service.runtime.keys, {
    contact_id: person.id,
    email,
    list_ids: [list_id],
  })
  const confirmed = await world.fetch(`/general/newsletter/confirm/${token}`, { method: 'POST' })
  expect(await confirmed.text()).toContain(links)
})
