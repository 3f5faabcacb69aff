import type { FirstCall } from '../api/document.ts'

/** What the work tray asks for. The first answers travel with each document of a site. */
export const TRAY_JOBS: { statuses: ('queued' | 'running')[]; limit: number } = {
  statuses: ['queued', 'running'],
  limit: 20,
}
export const TRAY_CAMPAIGNS: { status: 'sending'; order: 'newest'; limit: number } = {
  status: 'sending',
  order: 'newest',
  limit: 20,
}

export const TRAY_FIRST: readonly FirstCall[] = [
  { operation: 'jobs/list', body: TRAY_JOBS },
  { operation: 'campaigns/list', body: TRAY_CAMPAIGNS },
]
