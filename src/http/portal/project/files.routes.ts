import { Type } from '@sinclair/typebox'
import { requireFreeDisk } from '../../../disk.ts'
import {
  addFile,
  AltText,
  deleteFile,
  FileName,
  FileQuery,
  FileRecord,
  fileRecord,
  FileUse,
  getFile,
  listFiles,
  requireUnused,
  updateFile,
  usesOf,
} from '../../../files/files.ts'
import { addressOf } from '../../../files/address.ts'
import { MAX_UPLOAD_BYTES } from '../../../files/picture.ts'
import { Id, nullable, obj } from '../../../schema.ts'
import { bodyOf } from '../../core/file-body.ts'
import { route } from '../../core/route.ts'
import { optional, Success } from '../../core/schemas.ts'
import { PICTURE_BODIES, readPictureBody, UploadName } from '../picture-body.ts'

const OneFile = obj({ file: FileRecord })

/** `/project/files/…` (docs/api/files.md). */
export const fileRoutes = [
  route({
    method: 'POST',
    path: '/project/files/upload',
    summary: 'Adds a picture, encoded anew. The same picture again is the file that is there.',
    auth: 'session',
    role: 'editor',
    audit: { target: { answer: 'file' } },
    project: 'query',
    query: obj({ name: UploadName, alt: Type.Optional(AltText) }),
    takes: PICTURE_BODIES,
    max_body: bodyOf(MAX_UPLOAD_BYTES),
    response: OneFile,
    errors: ['INVALID_STATE', 'INSUFFICIENT_STORAGE'],
    async prepare(_, context) {
      await requireFreeDisk(context)
      return readPictureBody(context)
    },
    async write(
      { name, alt = '' },
      { tx, project_id, project_public_id, base_url, config, now },
      { picture, ...given },
    ) {
      const place = {
        project_id,
        address: addressOf(project_public_id, picture),
        most: config.files_per_project,
        now,
      }
      const file = await addFile(tx, place, { picture, name: name ?? given.name, alt })
      return { file: fileRecord(base_url, file) }
    },
  }),

  route({
    method: 'POST',
    path: '/project/files/list',
    summary: 'The files of the project, newest first.',
    auth: 'session',
    role: 'member',
    body: FileQuery,
    response: obj({ items: Type.Array(FileRecord), next_cursor: nullable(Type.String()) }),
    errors: ['INVALID_CURSOR'],
    read: (query, context) => listFiles(context, context.project_id, query),
  }),

  route({
    method: 'POST',
    path: '/project/files/get',
    summary: 'One file, and the first things of the project that show it.',
    auth: 'session',
    cost: 5,
    role: 'member',
    body: obj({ file_id: Id }),
    response: obj({ file: FileRecord, used_by: Type.Array(FileUse) }),
    errors: ['NOT_FOUND'],
    async read({ file_id }, { db, store, project_id, base_url }) {
      const file = await getFile(db, project_id, file_id)
      return { file: fileRecord(base_url, file), used_by: await usesOf(store, project_id, file) }
    },
  }),

  route({
    method: 'POST',
    path: '/project/files/update',
    summary: 'Changes the name or the alternative text of a file.',
    auth: 'session',
    role: 'editor',
    audit: { target: { kind: 'file', input: 'file_id' }, changes: true },
    body: obj({ file_id: Id, ...optional({ name: FileName, alt: AltText }) }),
    response: OneFile,
    errors: ['NOT_FOUND'],
    write: async ({ file_id, ...changes }, { tx, project_id, base_url }) => ({
      file: fileRecord(base_url, await updateFile(tx, { project_id, file_id }, changes)),
    }),
  }),

  route({
    method: 'POST',
    path: '/project/files/delete',
    summary: 'Deletes a file. One that something of the project shows needs force.',
    auth: 'session',
    cost: 5,
    role: 'editor',
    audit: { target: { kind: 'file', input: 'file_id' } },
    body: obj({ file_id: Id, force: Type.Optional(Type.Boolean()) }),
    response: Success,
    errors: ['NOT_FOUND', 'CONFLICT'],
    async prepare({ file_id, force = false }, { db, store, project_id }) {
      if (!force) await requireUnused(store, project_id, await getFile(db, project_id, file_id))
    },
    write: ({ file_id }, { tx, project_id }) => deleteFile(tx, project_id, file_id),
  }),
]
