import { expect, test } from 'bun:test'
import { appManifest } from '../../../src/app-files.ts'
import { ASSETS_PATH, assetUrl, findAsset } from '../../../src/assets.ts'
import { appFileRoute, assetRoute, systemRoutes } from '../../../src/http/core/system.routes.ts'

const FOREVER = 'public, max-age=31536000, immutable'
type Responding = { run(context: object): Promise<Response> | Response }

test('A static file is kept for good under its version, and asked for again under any other address.', async () => {
  const path = 'portal/portal.css'
  const { version, bytes, type } = findAsset(path)!
  const get = async (search: string) => {
    const url = new URL(`https://m.example${ASSETS_PATH}/${path}${search}`)
    return (assetRoute.act as unknown as Responding).run({ request: new Request(url), url })
  }
  const answer = await get(`?v=${version}`)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': type,
    'cache-control': FOREVER,
    'cross-origin-resource-policy': 'cross-origin',
    etag: `"${version}"`,
  })
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
  for (const other of ['', '?v=', '?v=other'])
    expect([other, (await get(other)).headers.get('cache-control')]).toEqual([other, 'no-cache'])
  expect(assetUrl('https://m.example', path)).toEndWith(`/${path}?v=${version}`)
  const lost = new URL(`https://m.example${ASSETS_PATH}/app/main.tsx`)
  const asking = async () => (assetRoute.act as unknown as Responding).run({ request: new Request(lost), url: lost })
  await expect(asking()).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('A file of the web application is kept for good, because its name carries its hash.', async () => {
  const get = async (name: string | undefined) => {
    const request = new Request('https://m.example/')
    return (appFileRoute.act as unknown as Responding).run({ request, params: name === undefined ? {} : { '*': name } })
  }
  const { headers, status } = await get(appManifest().script)
  expect([status, headers.get('cache-control')]).toEqual([200, FOREVER])
  expect(headers.get('content-type')).toContain('javascript')
  for (const lost of ['main.tsx', 'manifest.json', '../manifest.json', undefined])
    await expect(get(lost)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('The service is ready, or says why it is not.', async () => {
  let reason: string | null = null
  const routes = systemRoutes(
    async () => reason,
    async () => '',
    async () => null,
  )
  const ready = routes.find(({ path }) => path === '/readyz')!
  const ask = async () => {
    const answer = await (ready.act as unknown as Responding).run({})
    return [answer.status, await answer.json()]
  }
  expect(await ask()).toEqual([200, { status: 'ready', backup_proven_on: null }])
  reason = 'The database does not answer.'
  expect(await ask()).toEqual([503, { status: 'not_ready', reason }])
  // A process that runs only the loops is asked as well.
  expect(routes.map(({ path, every_process }) => [path, every_process])).toEqual([
    ['/healthz', true],
    ['/readyz', true],
    ['/metrics', true],
  ])
})
