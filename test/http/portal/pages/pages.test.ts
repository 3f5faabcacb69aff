import { expect, test } from 'bun:test'
import { homePage, input, noticePage, setupPage } from '../../../../src/http/portal/pages/pages.ts'

type Home = Parameters<typeof homePage>[0]

const flat = ({ text }: { text: string }) => text.replace(/\s+/g, ' ')

test('A field has its label, hint and flaw, each tied to it, and no more attributes than it needs.', () => {
  const plain = flat(input({ name: 'city', label: 'City' }, {}, [{ path: '/town', message: 'No.' }]))
  expect(plain).toContain('<label for="city">City</label> <input id="city" name="city" type="text" value="">')
  for (const part of ['<small', 'aria-', 'required']) expect(plain).not.toContain(part)
  const field = { name: 'city', label: 'City', hint: 'Where?', autocomplete: 'off', pattern: '[a-z]+', required: true }
  const full = flat(input(field, { city: 'Rød "1"' }, [{ path: '/city', message: 'Unknown <city>.' }]))
  expect(full).toContain('value="Rød &quot;1&quot;" autocomplete="off" pattern="[a-z]+"')
  expect(full).toContain('aria-describedby="city-hint city-flaw" aria-invalid="true" required>')
  expect(full).toContain('<small id="city-hint">Where?</small>')
  expect(full).toContain('<small class="flaw" id="city-flaw">Unknown &lt;city&gt;.</small>')
  expect(flat(input({ name: 'city', label: 'City', hint: 'Where?' }, {}, []))).toContain(
    'aria-describedby="city-hint">',
  )
})

test('A password is never shown again.', () => {
  const field = { name: 'password', label: 'Password', type: 'password' } as const
  expect(flat(input(field, { password: 'secret' }, []))).toContain('type="password" value="">')
})

test('The set-up keeps its token, and says that nothing was created only after a refusal.', () => {
  const [fresh, refused] = [
    flat(setupPage('svc_x', {}, [])),
    flat(setupPage('svc_x', { email: 'a@b.example' }, [{ path: '/email', message: 'Used.' }])),
  ]
  for (const page of [fresh, refused]) expect(page).toContain('<input type="hidden" name="token" value="svc_x">')
  expect([fresh.includes('Nothing was created yet'), refused.includes('Nothing was created yet')]).toEqual([
    false,
    true,
  ])
  expect(
    [...fresh.matchAll(/<input id="(\w+)"[^>]*?( required)?>/g)].map(([, name, need]) => name + (need ?? '')),
  ).toEqual(['email required', 'password required', 'first_name', 'last_name', 'project_name', 'project_slug'])
  expect(refused).toContain('value="a@b.example"')
})

const USER = { email: 'ada@example.com' } as Home['user']
const PROJECT = { public_id: 'prj_1', name: 'Harbour', slug: 'harbour', domain: null, role: 'editor' }
const home = (more: Partial<Home> = {}) =>
  flat(
    homePage({
      ...{
        user: USER,
        invitations: [],
        projects: [],
        apps: [],
        api_reference: '/api.json',
        mailbox: null,
        refused: null,
      },
      ...more,
    }),
  )

test('The start page lists projects with role and domain, or says that there are none.', () => {
  const projects = [PROJECT, { ...PROJECT, domain: 'news.example', role: 'owner' }] as unknown as Home['projects']
  const [none, some] = [home(), home({ projects })]
  expect([none.includes('You are not a member of any project yet.'), none.includes('<table')]).toEqual([true, false])
  expect([some.includes('not a member'), some.match(/<tr /g)!.length]).toEqual([false, 3])
  expect(some).toContain('<a href="/portal/projects/harbour">Harbour</a>')
  for (const part of ['>Editor</td>', '>Owner</td>', '>–</td>', '>news.example</td>']) expect(some).toContain(part)
  expect(some).toContain('<span>ada@example.com</span>')
})

test('The start page has invitations, the mailbox and a refused name where there are any.', () => {
  const bare = home()
  for (const part of ['sandbox mailbox', 'class="invitation"', 'class="flaw"']) expect(bare).not.toContain(part)
  const full = home({
    mailbox: '/mailbox',
    invitations: [
      { id: 'inv_1', inviter: 'Bo', name: 'Pier', place: 'a member of the project' },
    ] as unknown as Home['invitations'],
    refused: { values: { name: 'Taken' }, flaws: [{ path: '/name', message: 'Used.' }] },
  })
  expect(full).toContain('<a href="/mailbox">The sandbox mailbox</a>')
  expect(full).toContain('<p>Bo invites you to <strong>Pier</strong>, as a member of the project.</p>')
  expect(full).toContain('name="id" value="inv_1"')
  expect(full).toContain('value="Taken"')
  expect(full).toContain('id="name-flaw">Used.')
})

test('A notice leads to the projects unless it is told where.', () => {
  expect(flat(noticePage('Done', 'All.'))).toContain('<a href="/portal/">To your projects</a>')
  const other = flat(noticePage('Done & over', 'All.', { text: 'On', path: '/on' }))
  expect(other).toContain('<a href="/on">On</a>')
  expect(other).toContain('<title>Done &amp; over · Masthead</title>')
})
