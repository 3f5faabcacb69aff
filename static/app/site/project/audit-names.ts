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

/** The name of an actor: as the project knows it, or as the service gives it with the rows. */
export function whoOf(actor: string, names: Names | null, found: Readonly<Record<string, string>> = {}): string {
  const named = (one: string) => names?.get(one) ?? foundName(one, found)
  const known = named(actor)
  if (known !== undefined) return known
  const [kind = '', rest = ''] = actor.split(/[: ]/)
  if (kind === 'app') {
    const [app = '', user] = actor.split(' for ')
    const name = named(app) ?? 'An app'
    return user === undefined ? name : `${name}, for ${named(user) ?? 'somebody who left'}`
  }
  if (names === null) return '…'
  const words: Record<string, string> = {
    user: 'Somebody who left',
    key: 'A key that was revoked',
    contact: `Contact ${rest}`,
    provider: `The provider ${rest}`,
  }
  return words[kind] ?? actor
}

function foundName(actor: string, found: Readonly<Record<string, string>>): string | undefined {
  const name = found[actor]
  return name !== undefined && actor.startsWith('key:') ? `Key “${name}”` : name
}
