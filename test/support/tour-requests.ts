import { newSession } from './session.ts'
import type { World } from './world.ts'

export type Person = keyof World['users']

/** Who asks: a signed-in person, an access token, or nobody. */
export type Caller = Person | { token: string } | null

export interface Sent {
  by: Caller
  /** A method and a path. */
  call: string
  /** An object is sent as JSON. */
  body?: unknown
  headers?: Record<string, string>
}

export interface Requests {
  /** Begins a session of each person, which outlives the tour. */
  signIn(): Promise<void>
  send(request: Sent): Promise<{ answer: Response; text: string }>
}

/** Sends requests to a service as somebody. Whoever has no session yet begins one. */
export function requestsTo(world: World): Requests {
  const cookies = new Map<Person, string>()
  async function cookieOf(person: Person): Promise<string> {
    const known = cookies.get(person)
    if (known !== undefined) return known
    const { name, value } = await newSession(world, person, { expires_at: world.clock.now() + 1000 * 86_400_000 })
    cookies.set(person, `${name}=${value}`)
    return `${name}=${value}`
  }

  return {
    async signIn() {
      for (const person of Object.keys(world.users) as Person[]) await cookieOf(person)
    },
    async send({ by, call, body, headers = {} }) {
      const [method = '', ...path] = call.split(' ')
      const isText = typeof body === 'string' || body instanceof Uint8Array
      const sent: Record<string, string> = { 'accept-encoding': 'identity' }
      if (by !== null && typeof by === 'object') sent.authorization = `Bearer ${by.token}`
      if (body !== undefined && !(body instanceof Uint8Array)) sent['content-type'] = 'application/json'
      for (const [name, value] of Object.entries(headers)) sent[name.toLowerCase()] = value
      if (typeof by === 'string') sent.cookie = [await cookieOf(by), sent.cookie ?? []].flat().join('; ')
      const answer = await world.fetch(path.join(' '), {
        method,
        headers: sent,
        ...(body !== undefined && { body: isText ? (body as BodyInit) : JSON.stringify(body) }),
      })
      return { answer, text: await answer.text() }
    },
  }
}
