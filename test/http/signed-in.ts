import { PASSWORD, type World } from '../support/world.ts'

/** Sends JSON to a session route, with the cookie and the headers given. */
export function post(
  world: World,
  path: string,
  body: unknown = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  return world.fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

/** Signs one of the world's people in and answers the Cookie header of the session. */
export async function signIn(world: World, person: string): Promise<string> {
  const answer = await post(world, '/user/login', { email: `${person}@example.com`, password: PASSWORD })
  if (answer.status !== 200) throw new Error(`${person} could not sign in: ${answer.status} ${await answer.text()}`)
  return cookieOf(answer)
}

export function cookieOf(answer: Response): string {
  return (answer.headers.get('set-cookie') ?? '').split(';')[0]!
}
