import { isIP } from 'node:net'
import { FormatRegistry, type Static, Type } from '@sinclair/typebox'
import { invalid } from '../../errors.ts'
import { Instant, instantOf, line, obj } from '../../schema.ts'
import type { ToldConsent } from './evidence.ts'

/** Consent that a person gave elsewhere, as an integration reports it (docs/api/consent.md#evidence). */

FormatRegistry.Set('ip-address', (text) => isIP(text) > 0)

export const ToldConsentInput = obj(
  {
    at: Type.Optional(Instant),
    ip: Type.Optional(
      Type.String({
        format: 'ip-address',
        allOf: [{ anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] }],
        maxLength: 45,
        description: 'IPv4 or IPv6',
      }),
    ),
    user_agent: Type.Optional(line(500)),
    source: Type.Optional(line(200, { min: 1 })),
  },
  {
    description:
      'Where and when the person gave this consent, if that was somewhere else. It is kept as told, with the caller ' +
      'noted beside it.',
  },
)

export function toldConsent(input: Static<typeof ToldConsentInput>, now: number): ToldConsent {
  const { at: given, ...told } = input
  if (given === undefined) return told
  const at = instantOf(given)
  if (at === null) throw invalid('/consent/at', 'Expected a day of the calendar.')
  if (at > now) throw invalid('/consent/at', 'Expected a time in the past.')
  return { ...told, at }
}
