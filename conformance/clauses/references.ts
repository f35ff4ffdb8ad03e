import { Reference } from '../../api/contract.js';
import { bodyOf, refused } from '../answers.js';
import { type Clause, require } from '../clause.js';
import { film, note, picture, sound, uploadForm } from '../samples.js';

const kinds = [
  { kind: 'an image', id: 'image', file: picture },
  { kind: 'a video', id: 'video', file: film },
  { kind: 'an audio file', id: 'audio-file', file: sound },
  { kind: 'a document', id: 'document', file: note },
] as const;

export const referenceClauses: readonly Clause[] = [
  {
    id: 'references.upload',
    section: 'Endpoints',
    says: 'An upload of a file alone is answered with a Reference, whose id has the form ref_<alphanumeric>',
    async check(session) {
      await session.reference();
    },
  },
  ...kinds.map(({ kind, id, file }): Clause => ({
    id: `references.kind.${id}`,
    section: 'Endpoints',
    says: `An upload accepts ${kind}, and its media type is shown`,
    async check(session) {
      const first = await session.reference();
      const answer = await session.call('uploadReference', { body: uploadForm(file()) });
      const reference = bodyOf(answer, Reference);
      const [shown, right] = [reference.mime_type, file().type];
      require(shown?.split('/')[0] === right.split('/')[0], `calls a file of ${right} ${shown}`, answer);
      require(id === 'image' || reference.id !== first.id, 'gave two files the same id', answer);
    },
  })),
  {
    id: 'references.fields',
    section: 'Resources and their fields',
    says: 'A Reference shows when it was made, the media type of the file, and the role and description given at upload',
    async check(session) {
      await session.reference();
      const fields = { role: 'product', description: 'A small red square, «rouge»' };
      const answer = await session.call('uploadReference', { body: uploadForm(picture(), fields) });
      const reference = bodyOf(answer, Reference);
      const expected = { ...fields, mime_type: 'image/png' } as const;
      for (const name of ['mime_type', 'role', 'description'] as const) {
        require(reference[name] === expected[name], `shows ${name} ${JSON.stringify(reference[name])}`, answer);
      }
      require(reference.created_at !== undefined, 'left out created_at', answer);
    },
  },
  {
    id: 'references.use',
    section: 'Endpoints',
    says: 'The id of a Reference is used as reference_id in movie requests',
    async check(session) {
      await session.usableReference();
    },
  },
  {
    id: 'references.without-file',
    section: 'Errors',
    says: 'An upload without a file is answered with an error',
    async check({ call }) {
      const form = new FormData();
      form.set('role', 'other');
      refused(await call('uploadReference', { body: form }));
    },
  },
];
