/** What is asked of a connection, as the service keeps it and as it answers it. */
interface Known {
  last_error: string | null
  verified_at: unknown
  dns: { checks: readonly { ok: boolean }[] } | null
}

/** Whether a connection waits for a person: it failed, or it is in use and its DNS is not as it should be. */
export function isTroubled(connection: Known): boolean {
  return connection.last_error !== null || missingChecks(connection).length > 0
}

/** The checks that fail, of a connection that is in use. */
export function missingChecks<Dns extends Known['dns']>({
  verified_at,
  dns,
}: Pick<Known, 'verified_at'> & { dns: Dns }): NonNullable<Dns>['checks'][number][] {
  return verified_at === null ? [] : (dns?.checks ?? []).filter(({ ok }) => !ok)
}
