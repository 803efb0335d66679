"""Keys of Razorpay."""

from winnow.curation.sanitize.secrets.known_shape import known_shape

RAZORPAY_KEY = known_shape(
    "razorpay_key",
    ("rzp_live_", "rzp_test_"),
    r"rzp_(?:live|test)_[A-Za-z0-9]{14,24}",
)
