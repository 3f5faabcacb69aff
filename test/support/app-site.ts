import * as openid from 'openid-client'
import type { World } from './world.ts'

/** The web server of an app: it sends people to the service, and connects its script when they come back. */
export interface AppSite {
  url: string
  redirect_uri: string
  /** What its author copies into it; `script_id` is connected to the first project that people choose. */
  settings: { client_id: string; client_secret: string; scope: string; script_id: number | null }
  /** The access token of whom it served last. */
  access_token: string
  stop(): Promise<void>
}

/** Begins at `/`; the author's own trial ends at `/callback` with a state that is not the app's. */
export function startAppSite(world: World): AppSite {
  const waiting = new Map<string, string>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    routes: {
      '/': async () => {
        const [state, verifier] = [openid.randomState(), openid.randomPKCECodeVerifier()]
        waiting.set(state, verifier)
        const address = openid.buildAuthorizationUrl(await client(), {
          redirect_uri: site.redirect_uri,
          scope: site.settings.scope,
          state,
          code_challenge: await openid.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        })
        return Response.redirect(address.href, 303)
      },
      '/callback': async ({ url }) => {
        const state = URL.parse(url)!.searchParams.get('state') ?? ''
        const pkceCodeVerifier = waiting.get(state)
        if (pkceCodeVerifier === undefined) return new Response('The code is in the address.')
        const tokens = await openid.authorizationCodeGrant(await client(), new URL(url), {
          pkceCodeVerifier,
          expectedState: state,
        })
        site.access_token = tokens.access_token
        const { projects } = await call('GET', '/project/list')
        const connected = {
          scriptId: site.settings.script_id,
          project_id: projects[0].id,
          parameters: { town: 'Oslo' },
        }
        await call('POST', '/scripts/embed', connected)
        return new Response(`Connected with ${projects.map(({ name }: { name: string }) => name).join(', ')}.`)
      },
    },
  })
  const client = () => {
    const { client_id, client_secret } = site.settings
    return openid.discovery(new URL(world.url), client_id, client_secret, undefined, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    })
  }
  const call = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await world.fetch(`/general/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${site.access_token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return answer.json()
  }
  const site: AppSite = {
    url: server.url.href,
    redirect_uri: new URL('/callback', server.url).href,
    settings: { client_id: '', client_secret: '', scope: '', script_id: null },
    access_token: '',
    stop: () => server.stop(true),
  }
  return site
}
