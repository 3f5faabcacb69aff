import type { FirstCall } from './app-document.ts'

/** The requests of the work tray. Their first answers are delivered with each document of a project. */
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
