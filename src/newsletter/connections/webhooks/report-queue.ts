import { AppError } from '../../../errors.ts'
import type { ProjectId } from '../../../ids.ts'
import { countedAlone, type SharedCounts } from '../../../shared-counts.ts'

/**
 * Reports by mail, and large requests of providers, are read and applied one after another for each project on each
 * thread that answers: a flood of them takes few places in the queue of writes, and little memory.
 */
export interface ReportQueue {
  /**
   * Runs `work` after all earlier work of the project. TOO_MANY_UPLOADS when too much waits.
   * @param bytes what waits in memory
   */
  take<T>(project_id: ProjectId, bytes: number, work: () => Promise<T>): Promise<T>
}

interface Line {
  waiting: number
  bytes: number
  last: Promise<unknown>
}

const MIB = 1024 * 1024
/** Bytes that wait in this process: a thousand bounces of one project, as servers usually send them. */
const MAX_WAITING = { project: 8 * MIB, all: 32 * MIB }

/** @param counts what the threads of the process count together: what waits on all of them is bounded */
export function createReportQueue(counts: SharedCounts = countedAlone, max = MAX_WAITING): ReportQueue {
  const lines = new Map<ProjectId, Line>()
  let all = 0
  const hold = (project_id: ProjectId, line: Line, bytes: number): void => {
    line.bytes += bytes
    all += bytes
    counts.set(`reports ${project_id}`, line.bytes)
    counts.set('reports', all)
  }
  return {
    async take<T>(project_id: ProjectId, bytes: number, work: () => Promise<T>): Promise<T> {
      const line = lines.get(project_id) ?? { waiting: 0, bytes: 0, last: Promise.resolve() }
      const of_project = line.bytes + counts.elsewhere(`reports ${project_id}`) + bytes
      if (of_project > max.project || all + counts.elsewhere('reports') + bytes > max.all)
        throw new AppError('TOO_MANY_UPLOADS', 'Too many reports are waiting. Send this one again.', {
          headers: { 'Retry-After': '5' },
        })
      lines.set(project_id, line)
      line.waiting += 1
      hold(project_id, line, bytes)
      const turn = line.last.then(work)
      line.last = turn.catch(() => undefined)
      try {
        return await turn
      } finally {
        line.waiting -= 1
        hold(project_id, line, -bytes)
        if (line.waiting === 0) lines.delete(project_id)
      }
    },
  }
}
