"""A movie from its estimate to its file, through a client that is generated from the studio's document."""

import io
import sys

import httpx
from studio_client import AuthenticatedClient
from studio_client.api.default import (
    cancel_movie,
    create_movie,
    estimate_movie,
    get_movie,
    list_assets,
    upload_reference,
)
from studio_client.models import AspectRatio, Error, MovieRequest, MovieStatus, Upload
from studio_client.types import File

url, key = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=key)
body = MovieRequest(
    prompt="A lighthouse at dusk. Gulls circle above it.", duration_seconds=5, aspect_ratio=AspectRatio.VALUE_2
)

assert estimate_movie.sync(client=client, body=body).currency == "USD"
movie = create_movie.sync(client=client, body=body, idempotency_key="order-of-python")
assert create_movie.sync(client=client, body=body, idempotency_key="order-of-python").id == movie.id
assert get_movie.sync(movie.id, client=client).status == MovieStatus.COMPLETED
assert cancel_movie.sync(movie.id, client=client).error is None
video = next(asset for asset in list_assets.sync(movie.id, client=client).data if asset.type_ == "final_video")
assert httpx.get(video.url).headers["content-type"] == video.mime_type
missing = get_movie.sync("movie_nobody", client=client)
assert isinstance(missing, Error) and missing.error.code == "not_found"
note = File(payload=io.BytesIO(b"The boat is red."), file_name="note.txt", mime_type="text/plain")
assert upload_reference.sync(client=client, body=Upload(file=note)).mime_type == "text/plain"
