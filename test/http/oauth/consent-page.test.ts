import { expect, test } from 'bun:test'
import { consentPage, refusalPage } from '../../../src/http/oauth/consent-page.ts'

/** What the page says by what it is given; test/oauth/consent.test.ts opens it. */

type Consent = Parameters<typeof consentPage>[0]
type Choice = Consent['choices'][number]

function choice(more: Partial<Omit<Choice, 'project'>> & { domain?: string | null } = {}): Choice {
  const { domain = null, ...rest } = more
  const project = { public_id: 'prj_1', name: 'Harbour', slug: 'harbour', domain } as Choice['project']
  return { project, role: 'editor', lacks: null, ...rest }
}

function shown({ app = {}, scopes = ['newsletter:read'], redirect_uri = 'https://back.example/x', ...more }: any = {}) {
  const known = { display_name: 'Tides', description: '', homepage: '', status: 'approved' }
  const request = { app: { ...known, ...app }, redirect_uri, scopes } as Consent['request']
  return consentPage({
    request,
    ...{ user: { email: 'ada@example.com' } as Consent['user'], choices: [choice()], reasons: {}, maker: null },
    ...{ granted: new Set<string>(), query: 'a=b', ticket: 'ticket', icon: null, is_none_chosen: false, again: '/x' },
    ...more,
  }).text.replace(/\s+/g, ' ')
}

test('The page names the app, its maker, homepage and icon only where it has them.', () => {
  const bare = shown()
  for (const part of ['<img', 'Made by', 'Homepage', '<p></p>']) expect(bare).not.toContain(part)
  expect(bare).toContain('<h1>Connect Tides?</h1>')
  const app = { description: 'Tells <tides>.', homepage: 'https://tides.example' }
  const full = shown({ app, maker: 'Ada', icon: '/files/a.png' })
  for (const part of [
    '<h1><img class="icon" src="/files/a.png"',
    '<p>Tells &lt;tides&gt;.</p>',
    '<dt>Made by</dt><dd>Ada</dd>',
    '<a href="https://tides.example" rel="noopener noreferrer nofollow" target="_blank">',
    '<dd>ada@example.com <a href="/x">Someone else?</a></dd>',
    'name="request" value="a=b"',
    'name="ticket" value="ticket"',
  ])
    expect(full).toContain(part)
  expect(shown({ app: { homepage: 'javascript:alert(1)' } })).not.toContain('javascript')
})

test('The page says whether the app was reviewed, and where it leads back to.', () => {
  const words = ['Reviewed', 'In development. Only its own team']
  const said = (app: object) => words.map((word) => shown({ app }).includes(word))
  expect([said({ status: 'approved' }), said({ status: 'development' })]).toEqual([
    [true, false],
    [false, true],
  ])
  expect(shown()).toContain('<dd>back.example</dd>')
  expect(shown({ redirect_uri: 'tides.app:/back' })).toContain('<dd>tides.app: (an app on this device)</dd>')
})

test('Scopes stand under what they let an app do, with reasons, risks, and a mark on those that are new.', () => {
  const scopes = ['newsletter:send', 'newsletter:read', 'cms:post:read']
  const first = shown({ scopes, reasons: { 'newsletter:read': 'To “count”' } })
  expect([...first.matchAll(/<h3>([^<]+)/g)].map(([, kind]) => kind)).toEqual(['Read', 'Send'])
  expect(first).toContain('<code>newsletter:read</code><small>“To “count””</small></li>')
  expect(first).toContain('<code>cms:post:read</code></li>')
  expect(first).toContain('<strong class="risk">It can write to your contacts in your name.</strong>')
  expect(first).not.toContain('New:')
  const again = shown({ scopes, granted: new Set(['newsletter:read']) })
  const isNew = (label: string) => again.includes(`<strong>New:</strong> ${label}`)
  expect([isNew('Read contacts'), isNew('Read the posts'), isNew('Send, schedule')]).toEqual([false, true, true])
})

test('A project can be chosen where the role is enough, and the only one that can be is chosen already.', () => {
  const low = choice({ role: 'member', lacks: 'administrator', domain: 'low.example' })
  const [one, two] = [shown({ choices: [choice(), low] }), shown({ choices: [choice(), choice()] })]
  const open = /<input type="checkbox" name="project_ids" value="prj_1"( checked)?>/g
  expect([...one.matchAll(open)].map(([, checked]) => checked)).toEqual([' checked'])
  expect([...two.matchAll(open)].map(([, checked]) => checked)).toEqual([undefined, undefined])
  expect(one).toContain('<input type="checkbox" disabled aria-describedby="why-prj_1">')
  expect(one).toContain('You are a member here. What this app asks for needs an administrator.')
  expect([
    one.includes('<span class="quiet">harbour</span>'),
    one.includes('<span class="quiet">low.example</span>'),
  ]).toEqual([true, true])
  expect([one.includes('Choose a project.'), shown({ is_none_chosen: true }).includes('Choose a project.')]).toEqual([
    false,
    true,
  ])
})

test('A user without a project, or with too low a role in each, can only go back.', () => {
  const connect = (text: string) => /value="approve"( disabled)?>/.exec(text)![1]
  const [able, none, low] = [shown(), shown({ choices: [] }), shown({ choices: [choice({ lacks: 'owner' })] })]
  expect([able, none, low].map(connect)).toEqual([undefined, ' disabled', ' disabled'])
  expect([able, none, low].map((text) => /value="deny">([^<]+)</.exec(text)![1])).toEqual([
    'Refuse',
    'Back to Tides',
    'Back to Tides',
  ])
  expect([able, none, low].map((text) => text.includes('You are not a member of any project'))).toEqual([
    false,
    true,
    false,
  ])
  expect([able, none, low].map((text) => text.includes('Your role is too low in every project'))).toEqual([
    false,
    false,
    true,
  ])
  expect([able, none].map((text) => text.includes('<fieldset>'))).toEqual([true, false])
})

test('A refusal says its sentence as text.', () => {
  expect(refusalPage('No <b>').text).toContain('<p role="alert">No &lt;b&gt;</p>')
})
