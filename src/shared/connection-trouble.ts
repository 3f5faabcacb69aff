/** The part of a connection that is checked here. */
interface Known {
  last_error: string | null
  verified_at: unknown
  dns: { checks: readonly { ok: boolean }[] } | null
}

/** Whether a connection needs attention: it failed, or it is in use and its DNS records are incomplete. */
export function isTroubled(connection: Known): boolean {
  return connection.last_error !== null || missingChecks(connection).length > 0
}

/** The failed DNS checks of a connection that is in use. */
export function missingChecks<Dns extends Known['dns']>({
  verified_at,
  dns,
}: Pick<Known, 'verified_at'> & { dns: Dns }): NonNullable<Dns>['checks'][number][] {
  return verified_at === null ? [] : (dns?.checks ?? []).filter(({ ok }) => !ok)
}
