import { type Static, Type } from '@sinclair/typebox'
import { invalid } from '../../errors.ts'
import type { ProjectId } from '../../ids.ts'
import { obj } from '../../schema.ts'
import type { Keys } from '../../secrets.ts'
import { seal, SEALED, type SealedColumn } from '../../store/sealed.ts'
import { type Connection, unsealConnectionPassword, USUAL_PORT, USUAL_RELAY } from './connection.ts'
import { ConnectionFields } from './resource.ts'

/** The fields of a connection beside its name and provider. */
export const Further = Type.Partial(Type.Omit(obj(ConnectionFields), ['name', 'provider']))

export type Given = Partial<Static<typeof Further>> & { name?: string; provider?: Connection['provider'] } & {
  webhook_topic?: null
}

/** A connection with these changes. Throws VALIDATION_FAILED when its host is missing. */
export function connectionAfter(keys: Keys, before: Connection, input: Given): Connection {
  const relay = relayAfter(before, input)
  const relay_host = input.host?.toLowerCase() ?? relay.host
  // A stored password must not be sent to another server that the caller names.
  const password_sealed = relay_host === before.host ? before.password_sealed : null
  const after: Connection = {
    ...before,
    ...relay,
    ...plainFields(input),
    password_sealed,
    // A form sends the value again that it shows: only another one is a choice.
    max_connections_chosen:
      before.max_connections_chosen || (input.max_connections ?? before.max_connections) !== before.max_connections,
    webhook_topic: input.webhook_topic === null || relay.provider !== before.provider ? null : before.webhook_topic,
    ...secrets(keys, before.project_id, input),
    port: input.port ?? usualPortAfter(before, { ...relay, ...plainFields(input) }),
  }
  if (after.provider === 'smtp' && after.host === '') throw invalid('/host', 'Required.')
  return after
}

/** The given fields that are stored unchanged. */
export function plainFields({
  host,
  secure,
  username,
  from_domain,
  bounce_domain,
  max_per_second,
  max_per_day,
  max_connections,
  mailbox_limits,
  message_stream,
}: Given) {
  return withoutGaps({
    host: host?.toLowerCase(),
    secure,
    username,
    from_domain: from_domain?.toLowerCase(),
    bounce_domain: bounce_domain?.toLowerCase(),
    max_per_second,
    max_per_day,
    max_connections,
    mailbox_limits,
    message_stream,
  })
}

export function secrets(keys: Keys, project_id: ProjectId, { password, webhook_secret }: Given) {
  const sealed = (secret: string | null | undefined, column: SealedColumn<{ project_id: ProjectId }>) =>
    secret ? seal(keys, column, secret, { project_id }) : secret === undefined ? undefined : null
  return withoutGaps({
    password_sealed: sealed(password, SEALED.relay_password),
    webhook_secret_sealed: sealed(webhook_secret, SEALED.webhook_secret),
  })
}

type Relay = Pick<Connection, 'provider' | 'host' | 'username' | 'secure'>

/** A changed provider replaces the relay, if that was the default of the provider before. */
function relayAfter({ provider, host, username, secure }: Connection, given: Given): Relay {
  const next = given.provider ?? provider
  if (next === provider) return { provider, host, username, secure }
  const [old, usual] = [USUAL_RELAY[provider], USUAL_RELAY[next]]
  return {
    provider: next,
    host: host === '' || host === old.host ? usual.host : host,
    username: username === '' || username === old.username ? usual.username : username,
    secure: provider === 'sandbox' ? 'starttls' : secure,
  }
}

/** A changed `secure` replaces the port, if that was the default before. */
function usualPortAfter(before: Connection, { provider, secure }: Relay): number {
  if (provider === 'sandbox') return before.port
  return before.port === 0 || before.port === USUAL_PORT[before.secure] ? USUAL_PORT[secure] : before.port
}

export function changesServer(keys: Keys, before: Connection, after: Connection): boolean {
  const differs = (['provider', 'host', 'port', 'secure', 'username'] as const).some(
    (field) => before[field] !== after[field],
  )
  return (
    differs ||
    (before.password_sealed !== after.password_sealed &&
      unsealConnectionPassword(keys, before) !== unsealConnectionPassword(keys, after))
  )
}

function withoutGaps<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
