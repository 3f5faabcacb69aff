import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { data } from '../api/data.ts'
import type { Connection } from '../api/operations.d.ts'
import { isTroubled } from '../site/home/connection-trouble.ts'

const SENDING = 'A connection or its DNS needs a look'

/** What is wrong, by the path of the page where it is mended: the side bar marks these entries. */
export const attention = signal<Readonly<Record<string, string>>>(
  data.project?.sending_trouble ? { '/sending': SENDING } : {},
)

/** Marks the page about sending by what was just read of the connections. */
export function useSendingAttention(connections: readonly Connection[] | undefined): void {
  useEffect(() => {
    if (connections) attention.value = connections.some(isTroubled) ? { '/sending': SENDING } : {}
  }, [connections])
}
