import { useKeys } from './keys-data.ts'
import { nameOf, usePeople } from './members-data.ts'

export type Names = ReadonlyMap<string, string>

/** Names by actor of the audit log; null while they load. */
export function useNames(): Names | null {
  const people = usePeople()
  const keys = useKeys()
  if ([people, keys].some(({ data, error }) => !data && !error)) return null
  return new Map([
    ...(people.data?.members ?? []).map((member): [string, string] => [`user:${member.user_id}`, nameOf(member)]),
    ...(keys.data?.api_keys ?? []).map(({ id, name }): [string, string] => [`key:${id}`, `Key “${name}”`]),
    ['service', 'The service'],
    ['command line', 'The operator'],
    ['visitor', 'A visitor'],
  ])
}

/** The name of an actor. */
export function whoOf(actor: string, names: Names | null): string {
  if (names === null) return '…'
  const known = names.get(actor)
  if (known !== undefined) return known
  const [kind = '', rest = ''] = actor.split(/[: ]/)
  if (kind === 'app') {
    const user = / for (user:\S+)$/.exec(actor)?.[1]
    return user === undefined ? 'An app' : `An app, for ${names.get(user) ?? 'somebody who left'}`
  }
  const words: Record<string, string> = {
    user: 'Somebody who left',
    key: 'A key that was revoked',
    contact: `Contact ${rest}`,
    provider: `The provider ${rest}`,
  }
  return words[kind] ?? actor
}
