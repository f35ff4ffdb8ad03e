/** An example of everything that goes over the wire, by schema name: what a mock of the document answers with. */
const movie = {
  id: 'movie_7Xk2LmQ9',
  status: 'queued',
  prompt: 'A lighthouse at dusk. Gulls circle above it.',
  duration_seconds: 5,
  aspect_ratio: '16:9',
  progress: { percent: 0, stage: 'queued' },
  error: null,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

const completed = {
  ...movie,
  status: 'completed',
  progress: { percent: 100, stage: 'completed' },
  updated_at: '2026-03-01T09:31:12.000Z',
};

const canceled = {
  ...movie,
  status: 'canceled',
  progress: { percent: 10, stage: 'planning' },
  updated_at: '2026-03-01T09:30:20.000Z',
};

export const examples = {
  MovieRequest: {
    prompt: movie.prompt,
    duration_seconds: 5,
    aspect_ratio: '16:9',
    style: 'Warm, slow, hand-drawn',
    references: [{ reference_id: 'ref_4Tn8Zr1B', role: 'location', description: 'The lighthouse itself' }],
  },
  Movie: { queued: movie, completed, canceled },
  Reference: {
    id: 'ref_4Tn8Zr1B',
    role: 'location',
    mime_type: 'image/jpeg',
    created_at: '2026-03-01T09:29:10.000Z',
    description: 'The lighthouse itself',
  },
  Estimate: {
    estimated_credits: 2,
    estimated_runtime_seconds: 5,
    currency: 'USD',
    amount_minor: 100,
    assumptions: ['One credit for every 5 s of film, and one for each reference'],
  },
  AssetList: {
    data: [
      {
        id: 'asset_9Qw3Er5T',
        type: 'final_video',
        url: 'https://movies.example/v1/files/asset_9Qw3Er5T?expires=1772361072&signature=c2lnbmF0dXJl',
        created_at: completed.updated_at,
        mime_type: 'video/mp4',
        width: 1280,
        height: 720,
        duration_seconds: 5,
      },
    ],
  },
  Event: { id: 'msg_2Ab6Cd0E', type: 'movie.completed', created_at: completed.updated_at, data: completed },
} as const;

/** An example of the error with this code, as the studio words them. */
export function errorExample(code: string): unknown {
  const request_id = 'req_8Yh4Ng2P';
  return { error: { code, message: `Cannot serve request: ${code.replaceAll('_', ' ')}`, request_id } };
}
