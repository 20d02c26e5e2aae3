"""What happens by itself to notices."""

from console.notices.tasks.sweeps import deliver, forget

__all__ = ["deliver", "forget"]
