import { AppError } from '../../../errors.ts'
import type { ProjectId } from '../../../ids.ts'

/**
 * Reports by mail, and large requests of providers, are read and applied one after another for each project: a flood of
 * them takes one place in the queue of writes, and little memory.
 */
export interface ReportQueue {
  /**
   * Runs `work` after all earlier work of the project. TOO_MANY_UPLOADS when too much waits.
   * @param bytes what waits in memory
   */
  take<T>(project_id: ProjectId, bytes: number, work: () => Promise<T>): Promise<T>
}

const MIB = 1024 * 1024
/** Bytes that wait in this process: a thousand bounces of one project, as servers usually send them. */
const MAX_WAITING = { project: 8 * MIB, all: 32 * MIB }

export function createReportQueue(max = MAX_WAITING): ReportQueue {
  const lines = new Map<ProjectId, { waiting: number; bytes: number; last: Promise<unknown> }>()
  let all = 0
  return {
    async take<T>(project_id: ProjectId, bytes: number, work: () => Promise<T>): Promise<T> {
      const line = lines.get(project_id) ?? { waiting: 0, bytes: 0, last: Promise.resolve() }
      if (line.bytes + bytes > max.project || all + bytes > max.all)
        throw new AppError('TOO_MANY_UPLOADS', 'Too many reports are waiting. Send this one again.', {
          headers: { 'Retry-After': '5' },
        })
      lines.set(project_id, line)
      line.waiting += 1
      line.bytes += bytes
      all += bytes
      const turn = line.last.then(work)
      line.last = turn.catch(() => undefined)
      try {
        return await turn
      } finally {
        line.waiting -= 1
        line.bytes -= bytes
        all -= bytes
        if (line.waiting === 0) lines.delete(project_id)
      }
    },
  }
}
