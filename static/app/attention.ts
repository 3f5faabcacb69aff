import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { data } from './api/data.ts'
import type { Connection } from './api/operations.d.ts'
import { isTroubled } from '../../src/shared/connection-trouble.ts'

const SENDING = 'A connection or its DNS needs a look'

/** Problems by the path of the page where they can be fixed. The side bar marks these entries. */
export const attention = signal<Readonly<Record<string, string>>>(
  data.project?.sending_trouble ? { '/sending': SENDING } : {},
)

/** Marks the page about sending, from a loaded list of connections. */
export function useSendingAttention(connections: readonly Connection[] | undefined): void {
  useEffect(() => {
    if (connections) attention.value = connections.some(isTroubled) ? { '/sending': SENDING } : {}
  }, [connections])
}
