import { beforeEach, describe, expect, test } from 'bun:test'
import { connectedScripts } from '../../../src/scripts/connections.ts'
import { unpublishScript } from '../../../src/scripts/published.ts'
import { type Desk, openDesk } from '../../developer/desk.ts'

let desk: Desk
let app: any
let other: any
let token: string
let script: any
let second: any
let foreign: any
beforeEach(async () => {
  desk = await openDesk()
  app = await desk.app()
  other = await desk.app()
  script = await desk.script(app.id, {
    code: '<script>go("{{site}}", {{depth}})</script>',
    parameters: { site: 'default', depth: 1 },
  })
  second = await desk.script(app.id)
  foreign = await desk.script(other.id)
  for (const { id } of [app, other]) await desk.approve(id)
  token = await desk.token(app.id)
})

const main = () => desk.world.project.public_id
const list = (as = token, query = `?project_id=${main()}`) => desk.api(as, 'POST', `/scripts/list${query}`)
const embed = (body: object, as = token) => desk.api(as, 'POST', '/scripts/embed', { project_id: main(), ...body })
const end = (id: unknown, as = token) => desk.api(as, 'DELETE', `/scripts/connection/${String(id)}`)
const connection = async (script_id: number) =>
  (await list()).body.scripts.find((listed: any) => listed.script_id === script_id)
const refusal = (status: number, error: string) => ({ status, body: { error, message: expect.any(String) } })

test('A script is listed, connected, changed and disconnected.', async () => {
  expect(await list()).toMatchObject({ status: 200 })
  expect((await list()).body).toEqual({
    project_id: main(),
    scripts: [
      { script_id: script.id, id: null, parameters: { site: 'default', depth: 1 } },
      { script_id: second.id, id: null, parameters: {} },
    ],
  })
  expect((await embed({ scriptId: script.id, parameters: { site: 'harbour', more: true } })).body).toEqual({
    success: true,
  })
  const connected = await connection(script.id)
  expect(connected).toEqual({
    script_id: script.id,
    id: expect.any(Number),
    parameters: { site: 'harbour', depth: 1, more: true },
  })
  expect(Number.isInteger(connected.id) && connected.id > 0).toBe(true)

  expect((await end(connected.id)).body).toEqual({ success: true })
  expect((await connection(script.id)).id).toBeNull()
  expect(await end(connected.id)).toMatchObject(refusal(404, 'not_found'))
  await embed({ scriptId: script.id })
  const again = await connection(script.id)
  expect(again.id).toBeGreaterThan(connected.id)
  expect(again.parameters).toEqual({ site: 'default', depth: 1 })
})

test('Embedding again keeps the connection and replaces given parameters.', async () => {
  await embed({ scriptId: script.id, parameters: { site: 'a', depth: 2 } })
  const { id } = await connection(script.id)
  await embed({ scriptId: script.id, parameters: { site: 'b' } })
  expect(await connection(script.id)).toEqual({ script_id: script.id, id, parameters: { site: 'b', depth: 1 } })
  await embed({ scriptId: script.id })
  expect(await connection(script.id)).toEqual({ script_id: script.id, id, parameters: { site: 'b', depth: 1 } })
  await embed({ scriptId: script.id, parameters: { site: null } })
  expect((await connection(script.id)).parameters).toEqual({ site: null, depth: 1 })
  await embed({ scriptId: script.id, parameters: {} })
  expect(await connection(script.id)).toEqual({ script_id: script.id, id, parameters: { site: 'default', depth: 1 } })
})

describe('refusals', () => {
  const each = (headers: Record<string, string>) => [
    desk.api(null, 'POST', `/scripts/list?project_id=${main()}`, undefined, headers),
    desk.api(null, 'POST', '/scripts/embed', { scriptId: script.id, project_id: main() }, headers),
    desk.api(null, 'DELETE', '/scripts/connection/1', undefined, headers),
  ]

  test('A missing, unknown or expired token and an API key are answered with 401.', async () => {
    for (const reply of await Promise.all(each({}))) {
      expect(reply).toMatchObject(refusal(401, 'unauthorized'))
      expect(reply.headers.get('www-authenticate')).toStartWith('Bearer')
    }
    for (const Authorization of [
      `Bearer svc_at_${'x'.repeat(43)}`,
      desk.world.keys.owner,
      `Bearer ${desk.world.keys.owner}`,
      token,
    ]) {
      for (const reply of await Promise.all(each({ Authorization }))) {
        expect(reply).toMatchObject(refusal(401, 'invalid_token'))
        expect(reply.headers.get('www-authenticate')).toContain('error="invalid_token"')
      }
    }
    const old = await desk.token(app.id)
    desk.world.clock.advance(3_600_000)
    expect(await list(old)).toMatchObject(refusal(401, 'invalid_token'))
    token = await desk.token(app.id)
  })

  test('A token without the scope of the route gets insufficient_scope, even with an invalid body.', async () => {
    const less = (scope: string) =>
      desk.token(app.id, { scopes: ['scripts:read', 'scripts:embed', 'scripts:delete'].filter((own) => own !== scope) })
    const replies = await Promise.all(
      [
        [await less('scripts:read'), 'POST', '/scripts/list', undefined, 'scripts:read'],
        [await less('scripts:embed'), 'POST', '/scripts/embed', { nonsense: 1 }, 'scripts:embed'],
        [await less('scripts:delete'), 'DELETE', '/scripts/connection/0', undefined, 'scripts:delete'],
      ].map(async ([as, method, path, body, scope]) => ({
        scope: String(scope),
        reply: await desk.api(String(as), String(method), String(path), body),
      })),
    )
    for (const { scope, reply } of replies) {
      expect(reply).toMatchObject(refusal(403, 'insufficient_scope'))
      expect(reply.headers.get('www-authenticate')).toContain(`scope="${scope}"`)
    }
  })

  test.each(['in development', 'approved'])(
    'A member may not embed or delete a script of an app %s, whatever the scopes.',
    async (status) => {
      const own = await desk.app({}, 'member')
      const { id: scriptId } = await desk.script(own.id, {}, 'member')
      if (status === 'approved') await desk.approve(own.id, 'member')
      const [member, editor] = [
        await desk.token(own.id, { person: 'member' }),
        await desk.token(own.id, { person: 'editor' }),
      ]
      expect((await list(member)).body.scripts).toMatchObject([{ script_id: scriptId, id: null }])
      expect(await embed({ scriptId }, member)).toMatchObject(refusal(403, 'forbidden'))
      expect((await list(member)).body.scripts).toMatchObject([{ script_id: scriptId, id: null }])
      expect(await embed({ scriptId }, editor)).toMatchObject({ status: 200, body: { success: true } })
      const [{ id }] = (await list(member)).body.scripts
      expect(await embed({ scriptId, parameters: { a: 1 } }, member)).toMatchObject(refusal(403, 'forbidden'))
      expect(await end(id, member)).toMatchObject(refusal(403, 'forbidden'))
      expect((await list(member)).body.scripts).toMatchObject([{ script_id: scriptId, id, parameters: {} }])
      expect(await end(id, editor)).toMatchObject({ status: 200, body: { success: true } })
    },
  )

  test('An empty body is refused with 400.', async () => {
    expect(await desk.api(token, 'POST', '/scripts/embed')).toMatchObject(refusal(400, 'invalid_request'))
  })

  test('A list without a project is refused with 400.', async () => {
    for (const query of [
      '',
      '?project_id=',
      `?project_id=${desk.world.project.public_id}&project_id=${desk.world.other.public_id}`,
    ])
      expect(await list(token, query)).toMatchObject(refusal(400, 'invalid_request'))
    expect((await desk.api(token, 'POST', '/scripts/list', { project_id: main() })).status).toBe(400)
    expect((await desk.api(token, 'POST', `/scripts/list?project_id=${main()}`, {})).status).toBe(200)
  })

  test.each([
    ['no scriptId', { scriptId: undefined }],
    ['a text', { scriptId: '1' }],
    ['zero', { scriptId: 0 }],
    ['a negative', { scriptId: -1 }],
    ['a fraction', { scriptId: 1.5 }],
    ['null', { scriptId: null }],
    ['more than is exact', { scriptId: 2 ** 53 }],
    ['no project_id', { project_id: undefined }],
    ['an empty project_id', { project_id: '' }],
    ['a number as project_id', { project_id: 5 }],
    ['an unknown property', { script_id: 1 }],
    ['parameters null', { parameters: null }],
    ['parameters as text', { parameters: 'a' }],
    ['parameters as array', { parameters: [] }],
    ['an object in parameters', { parameters: { a: {} } }],
    ['an array in parameters', { parameters: { a: [1] } }],
    ['a key that cannot be one', { parameters: { 'a b': 1 } }],
    ['a value above 2 kB', { parameters: { a: 'x'.repeat(2049) } }],
    ['NUL in a value', { parameters: { a: 'a\0' } }],
    ['51 parameters', { parameters: Object.fromEntries(Array.from({ length: 51 }, (_, nth) => [`k${nth}`, 1])) }],
  ])('A call that embeds with %s is refused with 400.', async (_, more) => {
    expect(await embed({ scriptId: script.id, ...more })).toMatchObject(refusal(400, 'invalid_request'))
  })

  test('A body that is not a JSON object is refused with 400, 413 or 415.', async () => {
    for (const body of ['{', '', '[]', 'null', '5'])
      expect((await desk.api(token, 'POST', '/scripts/embed', body)).status).toBe(400)
    expect(
      (
        await desk.api(token, 'POST', '/scripts/embed', 'scriptId=1', {
          'Content-Type': 'application/x-www-form-urlencoded',
        })
      ).status,
    ).toBe(415)
    expect((await desk.api(token, 'POST', '/scripts/embed', `{"a":"${'x'.repeat(2_000_000)}"}`)).status).toBe(413)
  })

  test('A connection id that is not a plain positive integer is refused with 400.', async () => {
    for (const id of ['0', '-1', 'abc', '1.5', '01', '1e3', '+1', '%00', '', '1/2', '9007199254740993', 'null', '1%20'])
      expect(await end(id)).toMatchObject(refusal(400, 'invalid_request'))
  })

  test('Another or unknown project and one that the user has left are answered with 403.', async () => {
    for (const project_id of [desk.world.other.public_id, 'prj_unknown']) {
      expect(await list(token, `?project_id=${project_id}`)).toMatchObject(refusal(403, 'project_not_authorized'))
      expect(await embed({ scriptId: script.id, project_id })).toMatchObject(refusal(403, 'project_not_authorized'))
      expect(await embed({ scriptId: 99_999, project_id })).toMatchObject(refusal(403, 'project_not_authorized'))
    }
    const stranger = await desk.token(app.id, { person: 'outsider' })
    expect(await list(stranger)).toMatchObject(refusal(403, 'project_not_authorized'))
    await embed({ scriptId: script.id })
    const { id } = await connection(script.id)
    for (const as of [stranger, await desk.token(app.id, { project_ids: [desk.world.other.id] })])
      expect(await end(id, as)).toMatchObject(refusal(403, 'project_not_authorized'))
    expect((await connection(script.id)).id).toBe(id)
  })

  test('An unknown script and a script of another app are answered with 404.', async () => {
    for (const scriptId of [99_999, foreign.id, Number.MAX_SAFE_INTEGER])
      expect(await embed({ scriptId })).toMatchObject(refusal(404, 'not_found'))
  })

  test('A connection of another app is answered with 403, and an unknown one with 404.', async () => {
    const theirs = await desk.token(other.id)
    await embed({ scriptId: script.id })
    const { id } = await connection(script.id)
    expect(await end(id, theirs)).toMatchObject(refusal(403, 'forbidden'))
    expect((await list(theirs)).body.scripts).toEqual([{ script_id: foreign.id, id: null, parameters: {} }])
    expect(await end(999_999, theirs)).toMatchObject(refusal(404, 'not_found'))
    expect((await connection(script.id)).id).toBe(id)
  })

  test('Other methods are answered with 405 and Allow.', async () => {
    for (const [method, path, allowed] of [
      ['GET', '/scripts/list', 'POST'],
      ['PUT', '/scripts/embed', 'POST'],
      ['GET', '/scripts/embed', 'POST'],
      ['POST', '/scripts/connection/1', 'DELETE'],
      ['GET', '/scripts/connection/1', 'DELETE'],
    ] as const) {
      const reply = await desk.api(token, method, path)
      expect(reply).toMatchObject(refusal(405, 'invalid_request'))
      expect(reply.headers.get('allow')).toBe(allowed)
    }
  })

  test('Every response has X-Request-ID.', async () => {
    expect(
      (await desk.api(token, 'DELETE', '/scripts/connection/0', undefined, { 'X-Request-ID': 'mine-1' })).headers.get(
        'x-request-id',
      ),
    ).toBe('mine-1')
    expect((await list()).headers.get('x-request-id')).toMatch(/^req_/)
  })
})

test('Fifty concurrent calls make one connection with the parameters of one of them.', async () => {
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, nth) => embed({ scriptId: second.id, parameters: { nth, twin: nth } })),
  )
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  const { store } = desk.world.service.runtime
  expect(await store.query('SELECT id FROM script_connections WHERE script_id = ?', [second.id])).toHaveLength(1)
  const { parameters } = await connection(second.id)
  expect(parameters.nth).toBe(parameters.twin)
})

test('Ten concurrent calls delete a connection once.', async () => {
  await embed({ scriptId: second.id })
  const { id } = await connection(second.id)
  const replies = await Promise.all(Array.from({ length: 10 }, () => end(id)))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 404)])
})

test('An app can connect at most twenty scripts to a project.', async () => {
  const many = await desk.app()
  const scripts = []
  for (let nth = 0; nth < 24; nth++) scripts.push(await desk.script(many.id))
  await desk.approve(many.id)
  const as = await desk.token(many.id, { project_ids: [desk.world.project.id, desk.world.other.id] })
  const replies = await Promise.all(scripts.map(({ id }) => embed({ scriptId: id }, as)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(20)
  for (const reply of replies.filter(({ status }) => status !== 200))
    expect(reply).toMatchObject(refusal(409, 'conflict'))
  const listed = (await list(as)).body.scripts
  expect(listed.filter(({ id }: any) => id !== null)).toHaveLength(20)
  const connected = listed.find(({ id }: any) => id !== null)
  expect((await embed({ scriptId: connected.script_id, parameters: { a: 1 } }, as)).status).toBe(200)
  expect((await embed({ scriptId: scripts[0].id, project_id: desk.world.other.public_id }, as)).status).toBe(200)
  expect((await end(connected.id, as)).status).toBe(200)
  expect((await embed({ scriptId: listed.find(({ id }: any) => id === null).script_id }, as)).status).toBe(200)
  // A connection of a script that no version has any more takes no room.
  const { scripts: present } = (await list(as)).body
  const other = present.find(({ id }: any) => id === null).script_id
  expect((await embed({ scriptId: other }, as)).status).toBe(409)
  const gone = present.find(({ id }: any) => id !== null).script_id
  await desk.world.service.runtime.store.write((tx) => unpublishScript(tx, gone))
  expect((await embed({ scriptId: other }, as)).status).toBe(200)
})

test('Parameters that make the rendered code too large are refused and change nothing.', async () => {
  const big = await desk.app()
  const { id } = await desk.script(big.id, { code: '{{a}}'.repeat(1000) })
  const as = await desk.token(big.id, { project_ids: [desk.world.project.id] })
  expect(await embed({ scriptId: id, parameters: { a: 'x'.repeat(300) } }, as)).toMatchObject(
    refusal(400, 'invalid_request'),
  )
  expect((await list(as)).body.scripts[0].id).toBeNull()
  expect((await embed({ scriptId: id, parameters: { a: 'x'.repeat(200) } }, as)).status).toBe(200)
})

describe('a parameter with the format html', () => {
  const code = '<p>{{title}}</p><div>{{body}}</div>'
  const pages = async (id: string) =>
    (await connectedScripts(desk.world.service.runtime.store.db, desk.world.project.id))
      .filter(({ app_id }) => app_id === id)
      .map(({ html }) => html)
  const isolated = async (parameter_formats: object) => {
    const own = await desk.app()
    const { id } = await desk.script(own.id, { code, parameter_formats })
    return { own, id, as: await desk.token(own.id) }
  }

  test.each(['<!--', '<textarea>', '<script>', '<style>', '<b>', '<img src="'])(
    'A parameter with the format html is refused with its name when it leaves something open: %s.',
    async (open) => {
      const { id, as } = await isolated({ body: 'html' })
      const reply = await embed({ scriptId: id, parameters: { title: open, body: open } }, as)
      expect(reply.body.message).toContain('parameters.body: ')
      expect(reply).toMatchObject(refusal(400, 'invalid_request'))
      expect((await list(as)).body.scripts[0].id).toBeNull()
      expect((await embed({ scriptId: id, parameters: { title: open, body: '<b>x</b>' } }, as)).status).toBe(200)
    },
  )

  test('A parameter with the format html stands as it is only where the approved version declares it.', async () => {
    const { own, id, as } = await isolated({})
    const declare = (parameter_formats: object) =>
      desk.ok('outsider', 'PATCH', `/user/developer/apps/${own.id}/scripts/${id}`, { parameter_formats })
    await desk.approve(own.id)
    await embed({ scriptId: id, parameters: { title: 'A & B', body: '<b>x</b>' } }, as)
    const escaped = ['<p>A &amp; B</p><div>&lt;b&gt;x&lt;/b&gt;</div>']
    expect(await pages(own.id)).toEqual(escaped)

    await declare({ body: 'html' })
    expect(await pages(own.id)).toEqual(escaped)
    expect((await embed({ scriptId: id, parameters: { title: 'A & B', body: '<!--' } }, as)).status).toBe(200)
    expect(await pages(own.id)).toEqual(['<p>A &amp; B</p><div>&lt;!--</div>'])

    // The stored value was accepted as text, so the new version does not insert it as markup.
    await desk.approve(own.id)
    expect(await pages(own.id)).toEqual(['<p>A &amp; B</p><div>&lt;!--</div>'])
    expect((await embed({ scriptId: id, parameters: { body: '<!--' } }, as)).status).toBe(400)
    await embed({ scriptId: id, parameters: { title: 'A & B', body: '<b>x</b>' } }, as)
    expect(await pages(own.id)).toEqual(['<p>A &amp; B</p><div><b>x</b></div>'])

    await declare({})
    expect(await pages(own.id)).toEqual(['<p>A &amp; B</p><div><b>x</b></div>'])
    await desk.approve(own.id)
    expect(await pages(own.id)).toEqual(escaped)
  })

  test('A parameter of an app in development stands as it is as soon as it has the format html.', async () => {
    const own = await desk.app({}, 'editor')
    const { id } = await desk.script(own.id, { code }, 'editor')
    const as = await desk.token(own.id, { person: 'editor' })
    await embed({ scriptId: id, parameters: { title: '<i>t</i>', body: '<b>x</b>' } }, as)
    expect(await pages(own.id)).toEqual(['<p>&lt;i&gt;t&lt;/i&gt;</p><div>&lt;b&gt;x&lt;/b&gt;</div>'])
    await desk.ok('editor', 'PATCH', `/user/developer/apps/${own.id}/scripts/${id}`, {
      parameter_formats: { body: 'html' },
    })
    expect(await pages(own.id)).toEqual(['<p>&lt;i&gt;t&lt;/i&gt;</p><div><b>x</b></div>'])
  })
})

test('Parameters that make the rendered code absorb the page are refused and change nothing.', async () => {
  const own = await desk.app()
  const { id } = await desk.script(own.id, { code: '<{{tag}}>x</{{tag}}>' })
  const as = await desk.token(own.id)
  expect((await embed({ scriptId: id, parameters: { tag: 'b' } }, as)).status).toBe(200)
  for (const tag of ['plaintext', 'b title="'])
    expect(await embed({ scriptId: id, parameters: { tag } }, as)).toMatchObject(refusal(400, 'invalid_request'))
  expect((await list(as)).body.scripts[0].parameters).toEqual({ tag: 'b' })
})
