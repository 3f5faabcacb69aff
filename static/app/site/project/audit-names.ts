import { useKeys } from './keys-data.ts'
import { nameOf, usePeople } from './members-data.ts'

/** The names of those who may have acted, by the actor of a row. */
export function useNames(): ReadonlyMap<string, string> {
  const people = usePeople().data?.members ?? []
  const keys = useKeys().data?.api_keys ?? []
  return new Map([
    ...people.map((member): [string, string] => [`user:${member.user_id}`, nameOf(member)]),
    ...keys.map(({ id, name }): [string, string] => [`key:${id}`, `Key “${name}”`]),
    ['service', 'The service'],
    ['command line', 'The operator'],
    ['visitor', 'A visitor'],
  ])
}

/** Who acted, in words. */
export function whoOf(actor: string, names: ReadonlyMap<string, string>): string {
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
