import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import process from 'node:process'
import { closeWorlds } from '../support/world.ts'
import { type Browser, type Client, createOAuthWorld, type OAuthWorld } from './oauth-world.ts'

/** The complete examples of the guide on OAuth are run as they are printed, with their libraries. */

const FOLDER = join(import.meta.dir, '../../docs/examples')
/** Debian's package for Authlib belongs to this Python. Its clock runs fast, so that tokens end for the program, too. */
const PYTHON = ['/usr/bin/python3', '-c']
const FAST_CLOCK = `import runpy, time
real, begun = time.time, time.time()
time.time = lambda: begun + (real() - begun) * 10_000
runpy.run_path('authlib_app.py')`

let world: OAuthWorld
let owner: Browser
let client: Client
beforeAll(async () => {
  // Tokens end so soon that each call refreshes them.
  world = await createOAuthWorld({ access_token_ttl_seconds: 1 })
  owner = await world.browser('owner')
  client = await world.newClient({ redirect_uris: ['http://localhost:3000/callback'] })
})
afterAll(closeWorlds)

const JS = (file: string) => [process.execPath, file]

/** Continuous integration installs Authlib; elsewhere it may be missing. */
const hasAuthlib =
  process.env.CI !== undefined ||
  (Bun.which(PYTHON[0]!) !== null && Bun.spawnSync([...PYTHON, 'import authlib, requests']).success)
const PROGRAMS = [
  ['openid-client', JS('openid-client.mjs'), true],
  ['simple-oauth2', JS('simple-oauth2.mjs'), true],
  ['Authlib', [...PYTHON, FAST_CLOCK], hasAuthlib],
] as const

for (const [name, command, isHere] of PROGRAMS)
  test.if(isHere)(`The example with ${name} connects a project, refreshes its token, and disconnects.`, () => {
    return tour([...command])
  })

async function tour(command: string[]): Promise<void> {
  const port = freePort()
  const home = `http://localhost:${port}`
  const program = Bun.spawn(command, {
    cwd: FOLDER,
    env: {
      ...process.env,
      ISSUER: world.url,
      CLIENT_ID: client.client_id,
      CLIENT_SECRET: client.client_secret,
      PORT: port,
    },
    stderr: 'pipe',
  })
  try {
    await firstLine(program.stdout)
    let cookie = ''
    const visit = async (address: string | URL) => {
      const answer = await fetch(new URL(address, home), { redirect: 'manual', headers: { Cookie: cookie } })
      cookie = answer.headers.get('set-cookie')!.split(';')[0]!
      return { leads_to: answer.headers.get('location'), status: answer.status, text: await answer.text() }
    }
    expect((await visit('/')).text).toContain('Connect a project')
    const asked = new URL((await visit('/connect')).leads_to!)
    const consent = await owner.open(asked.pathname + asked.search)
    const back = await owner.decide(consent, 'approve', [world.project.public_id])
    expect(new URL((await visit(back)).leads_to!).origin).toBe(home)
    for (let call = 0; call < 2; call++) {
      world.clock.advance(5_000)
      expect((await visit('/')).text).toContain('"name":"Harbour News"')
    }
    await visit('/disconnect')
    expect((await visit('/')).text).toContain('Connect a project')
    expect((await visit(back)).status).toBe(400)
  } finally {
    program.kill()
    await program.exited
  }
}

function freePort(): string {
  const taken = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port } = taken
  void taken.stop(true)
  return String(port)
}

/** The program listens once it has said where. */
async function firstLine(out: ReadableStream<Uint8Array>): Promise<void> {
  const { done } = await out.getReader().read()
  if (done) throw new Error('The example ended by itself.')
}
