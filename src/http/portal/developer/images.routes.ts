import { Type } from '@sinclair/typebox'
import { openApp } from '../../../developer/apps.ts'
import { addImage, deleteImage, ImageRecord, imageRecord, listImages } from '../../../developer/images.ts'
import { requireFreeDisk } from '../../../disk.ts'
import { Id, obj } from '../../../schema.ts'
import { MAX_UPLOAD_BYTES } from '../../../files/picture.ts'
import { bodyOf } from '../../core/file-body.ts'
import { route } from '../../core/route.ts'
import { Success } from '../../core/schemas.ts'
import { PICTURE_BODIES, readPictureBody, UploadName } from '../picture-body.ts'

const IMAGES = '/user/developer/apps/:id/images'

/** `…/apps/:id/images` (docs/api/files.md#pictures-of-apps). */
export const imageRoutes = [
  route({
    method: 'GET',
    path: IMAGES,
    summary: 'The pictures of an app, newest first.',
    auth: 'session',
    response: obj({ images: Type.Array(ImageRecord) }),
    async read({ id }, { db, caller, base_url }) {
      const app = await openApp(db, id, caller.user_id, 'read')
      return { images: (await listImages(db, app.id)).map((image) => imageRecord(base_url, image)) }
    },
  }),

  route({
    method: 'POST',
    path: IMAGES,
    summary: 'Adds a picture for the listing of an app, encoded anew.',
    auth: 'session',
    audit: { target: { answer: 'image' }, ids: { app_id: 'id' } },
    query: obj({ name: UploadName }),
    takes: PICTURE_BODIES,
    max_body: bodyOf(MAX_UPLOAD_BYTES),
    response: obj({ image: ImageRecord }),
    errors: ['INVALID_STATE', 'INSUFFICIENT_STORAGE'],
    async prepare({ id }, context) {
      await openApp(context.db, id, context.caller.user_id, 'change')
      await requireFreeDisk(context)
      return readPictureBody(context)
    },
    async write({ id, name }, { tx, caller, base_url, now }, given) {
      const app = await openApp(tx, id, caller.user_id, 'change')
      const image = await addImage(tx, app.id, { ...given, name: name ?? given.name }, now)
      return { image: imageRecord(base_url, image) }
    },
  }),

  route({
    method: 'DELETE',
    path: `${IMAGES}/:imageId`,
    summary: 'Deletes a picture that the listing does not show.',
    auth: 'session',
    audit: { target: { kind: 'app', input: 'id' }, ids: { image_id: 'imageId' } },
    params: obj({ imageId: Id }),
    body: obj({}),
    response: Success,
    errors: ['CONFLICT'],
    write: async ({ id, imageId }, { tx, caller }) =>
      deleteImage(tx, (await openApp(tx, id, caller.user_id, 'change')).id, imageId),
  }),
]
