import { Estimate, Reference } from '../../api/contract.js';
import { type Clause, require } from '../clause.js';
import { note, picture, sound } from '../samples.js';
import { bodyOf, errorOf, sampleRequest, uploadForm } from '../session.js';

export const referenceClauses: readonly Clause[] = [
  {
    id: 'references.upload',
    section: 'Endpoints',
    says: 'An upload of a file alone is answered with a Reference, whose id has the form ref_<alphanumeric>',
    creates: 0,
    async check(session) {
      await session.reference();
    },
  },
  ...[
    { kind: 'image', file: picture },
    { kind: 'audio file', file: sound },
    { kind: 'document', file: note },
  ].map(
    ({ kind, file }): Clause => ({
      id: `references.kind.${kind.replace(' ', '-')}`,
      section: 'Endpoints',
      says: `An upload accepts an ${kind}`.replace('an document', 'a document'),
      creates: 0,
      async check({ call }) {
        bodyOf(await call('uploadReference', { body: uploadForm(file()) }), Reference);
      },
    }),
  ),
  {
    id: 'references.fields',
    section: 'Resources and their fields',
    says: 'A Reference shows the media type of the file, and the role and description given at upload',
    creates: 0,
    async check({ call }) {
      const fields = { role: 'product', description: 'A small red square' };
      const answer = await call('uploadReference', { body: uploadForm(picture(), fields) });
      const reference = bodyOf(answer, Reference);
      require(reference.mime_type === undefined ||
        reference.mime_type === 'image/png', 'shows another mime_type', answer);
      require(reference.role === undefined || reference.role === fields.role, 'shows another role', answer);
      const { description } = reference;
      require(description === undefined || description === fields.description, 'shows another description', answer);
    },
  },
  {
    id: 'references.use',
    section: 'Endpoints',
    says: 'The id of a Reference is used as reference_id in movie requests',
    creates: 0,
    async check({ call, reference }) {
      const { id } = (await reference()).reference;
      const references = [{ reference_id: id, role: 'product', description: 'In the hand of the captain' }];
      bodyOf(await call('estimateMovie', { body: { ...sampleRequest, references } }), Estimate);
    },
  },
  {
    id: 'references.without-file',
    section: 'Errors',
    says: 'An upload has error responses in the shape of the Error object',
    creates: 0,
    async check({ call }) {
      const form = new FormData();
      form.set('role', 'other');
      errorOf(await call('uploadReference', { body: form }));
    },
  },
];
