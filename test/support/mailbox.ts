import type { World } from './world.ts'

export interface Received {
  id: number
  project_id: string | null
  from: string
  to: string
  subject: string
  text: string
  html: string
  headers: Record<string, string>
}

/** Sends what the service itself has to say, and answers what an address has got so far, the oldest first. */
export async function messagesTo(world: World, email: string): Promise<Received[]> {
  await world.service.drain('mail')
  const answer = await world.fetch(`/general/sandbox/mailbox?to=${encodeURIComponent(email)}`)
  return ((await answer.json()) as { messages: Received[] }).messages
}

/** The token in the link of the newest letter of a page's kind. */
export async function tokenFor(
  world: World,
  email: string,
  page: 'reset' | 'invitation' | 'email' | 'sign-up',
): Promise<string> {
  const tokens = (await messagesTo(world, email)).flatMap(
    ({ text }) => new RegExp(`/portal/${page}\\?token=([\\w-]+)`).exec(text)?.[1] ?? [],
  )
  if (tokens.length === 0) throw new Error(`${email} got no link to ${page}.`)
  return tokens.at(-1)!
}
